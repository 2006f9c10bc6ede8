"""The neural scorer: which customers belong into one route.

Nothing here is imported before it is used: the modules need torch.
"""
