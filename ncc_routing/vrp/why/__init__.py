"""Why a problem is impossible, or an order unserved."""
