"""The command ``ncc-route``: one file for each verb."""
