#pragma once

#include "fleets/features/shifts.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

// Routes of drivers with hours of service, stop by stop.
namespace ncc::fleets {

// A number that grows with the start s of a route: max(least, s + from).
struct Growing {
    double least = 0.0;
    double from = -std::numeric_limits<double>::infinity();

    bool operator==(const Growing&) const = default;

    // Returns it for a start.
    [[nodiscard]] double at(double start) const {
        return std::max(least, start + from);
    }
};

// A stop: when its service may begin, what it and the drive there take, and
// which breaks, by bits, may be on the way.
struct HoursStop {
    std::span<const Window> windows;
    double service = 0.0;
    double travel = 0.0;
    uint32_t breaks = 0;
};

// A rest, or a break with its number, before a stop, and the share of the arc
// driven before it.
struct RestTaken {
    int64_t stop = 0;
    int64_t number = -1;
    double begin = 0.0;
    double duration = 0.0;
    double share = 0.0;
};

// When a route starts, each service begins, and the driver rests.
struct DayPlan {
    double start = 0.0;
    std::vector<double> begins;
    std::vector<RestTaken> rests; // in their order
};

// When a route may start, no earlier than its goods are there, the work before
// its first stop, and what has been before. Who has driven or worked too long
// by then rests first.
struct DayStart {
    double early = 0.0;
    double late = 0.0;
    double service = 0.0;
    double release = 0.0;
    bool is_open = true; // or it is as early as may be
    HoursSoFar so_far{};
};

// The ways to drive some stops by hours of service.
//
// Labels as in A. Goel (2012). The minimum duration truck driver scheduling
// problem. EURO Journal on Transportation and Logistics 1(4). All rests lie as
// late as the limits allow. A rest of at least r ends at max(arrival + r,
// opening), so that the start stays open to the end.
class DayLabels {
public:
    DayLabels(const Hours& hours, std::span<const Break> breaks)
        : hours_(hours), breaks_(breaks) {}

    // Returns the least duration of a route, infinite where nobody can drive
    // it. The last stop is its end.
    double least_duration(const DayStart& start,
                          std::span<const HoursStop> stops);

    // Returns the route of that duration that starts as early as it allows;
    // no begins where nobody can drive it.
    DayPlan plan(const DayStart& start, std::span<const HoursStop> stops);

private:
    // What happens: a rest before a stop, or a break there without hours of
    // service, its service, or a rest behind it that ends a stay.
    enum class Action : uint8_t { Rest, Break, Service, Stay };
    struct Step {
        int64_t before = -1;
        uint32_t stop = 0;
        int64_t number = -1; // of a break
        Action action = Action::Rest;
        double early = 0.0; // of a break
        Growing time{};     // at the stop without a rest; of a service
        Growing end{};      // at the stop with the rest; when a break may be
        Growing left{};     // driving that follows on the arc
    };

    // A way to drive the first part of a route, by starts after `soon`, up to
    // `late`. On an arc, all is as at its end, and a further rest has at most
    // `left` of it behind.
    struct Label {
        double soon = -std::numeric_limits<double>::infinity();
        double late = 0.0;
        Growing time{};
        Growing free{};   // for a break, where no hours count
        Growing driven{}; // since a rest
        Growing worked{}; // since a rest of the least length
        double rested = 0.0;
        uint32_t taken = 0;     // breaks, by bits
        bool has_first = false; // part of a rest
        int64_t step = -1;
        Growing left{};
        // Of a rest that still goes on: the time without it, its length at
        // least, and what was before it.
        bool is_idle = false;
        bool had_first = false;
        Growing idle_from{};
        double length = 0.0;
        double had_rested = 0.0;
        double begins = 0.0; // their sum, where steps are noted
    };

    bool run(const DayStart& start, std::span<const HoursStop> stops);
    void drive(const HoursStop& stop);
    void rest_on_way(const Label& label, const Growing& left);
    // Without hours of service a break begins as soon as it may: what is left
    // to drive then follows it.
    void begin_breaks(const Label& label, const HoursStop& stop);
    void take_breaks(const Label& label, const HoursStop& stop);
    // Takes a break at a place, by what is left to drive from there, which is
    // no later than the last one that limits allow.
    void take(const Label& label, std::size_t number, const Window& window,
              const Growing& last, const Growing& place, double travel);
    void serve(const HoursStop& stop);
    void serve_after(const Label& label, const HoursStop& stop, double rest);
    void stay(const Label& label, const HoursStop& stop, bool is_rest);
    void keep(Label& label, const HoursStop& stop);

    // Calls a function with labels of who rests at a place, and whether a rest
    // goes on there: with one for the starts where it does, and one for those
    // where the last rest was before.
    template <class Function>
    static void at_place(const Label& label, const Growing& left,
                         Function function);

    // Counts a rest so far, of at least a length, that ends at a time. Returns
    // whether it is none that counts as more for all starts.
    [[nodiscard]] bool count_rest(Label& label, double length,
                                  const Growing& left,
                                  const Growing& end) const;
    void note(Label& label, const Step& step);

    // Drops the starts from which something exceeds a limit. Returns whether
    // any are left.
    [[nodiscard]] bool cut(Label& label, const Growing& value,
                           double limit) const;

    // Returns how much a driver drives or works too long without a rest.
    [[nodiscard]] Growing excess(const Label& label) const;
    [[nodiscard]] bool needs_rest(const Label& label) const;

    // Returns the earliest start of a way that takes a duration.
    [[nodiscard]] double start_of(const Label& label, double duration) const;

    // Returns the way that takes the least time, and that; none for none.
    [[nodiscard]] const Label* best(double& least) const;

    const Hours& hours_;
    std::span<const Break> breaks_;
    bool notes_steps_ = false;
    DayStart start_;
    uint32_t stop_ = 0;
    double done_ = 0.0;         // work before the arc to a stop
    double work_left_ = 0.0;    // from the stop on
    double driving_left_ = 0.0; // behind it
    double rest_needed_ = 0.0;  // in all
    std::vector<Label> labels_;
    std::vector<Label> on_way_;
    std::vector<Label> next_;
    std::vector<Step> steps_;
};

} // namespace ncc::fleets
