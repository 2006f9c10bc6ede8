"""Random problems, one module per family."""

from ncc_routing.generators.mixtures import generate_gmm as generate_gmm
from ncc_routing.generators.uchoa import generate_uchoa as generate_uchoa
