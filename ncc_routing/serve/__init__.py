"""The service: problems over HTTP, solved in processes of its own."""
