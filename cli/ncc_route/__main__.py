"""The way in: signals are caught before anything large is imported."""

from ncc_route import interrupts, streams


def main() -> None:
    """Run the command line."""
    interrupts.exit_on_signals()
    streams.secure_streams()
    from ncc_route.app import main as run

    try:
        run()
    except KeyboardInterrupt:  # it came while the last lines were run
        raise SystemExit(interrupts.EXIT_CODE) from None


if __name__ == "__main__":
    main()
