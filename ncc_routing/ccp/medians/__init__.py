"""Search for clusters around centers or medoids."""
