"""Networks, labels and training: the only room that needs torch."""

from ncc_routing.core.extras import require_extra

require_extra("torch")
require_extra("torch_geometric")
