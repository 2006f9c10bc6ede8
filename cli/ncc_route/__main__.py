"""The way in: signals are caught before anything large is imported."""

from ncc_route import signals


def main() -> None:
    """Run the command line."""
    signals.exit_on_signals()
    from ncc_route.streams import secure_streams

    secure_streams()
    from ncc_route.app import main as run

    try:
        run()
    except KeyboardInterrupt:  # it came while the last lines were run
        raise SystemExit(signals.EXIT_CODE) from None


if __name__ == "__main__":
    main()
