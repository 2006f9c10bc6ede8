"""Routes: scheduled, followed by the check, listed, summed up."""
