"""The way in: signals are caught before anything large is imported."""

from ncc_route import interrupts


def main() -> None:
    """Run the command line."""
    interrupts.exit_on_signals()
    from ncc_route.app import main as run

    run()


if __name__ == "__main__":
    main()
