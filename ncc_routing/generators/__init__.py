"""Random problems, one module per family."""

from ncc_routing.generators.uchoa import generate_uchoa as generate_uchoa
