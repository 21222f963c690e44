// <time.h>: dates. The time zone is UTC, as of a process without `TZ` and a configured zone.
struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};
static struct tm __ws_tm;
static char __ws_date[64];

// Days from 1 March of year 0 to a date; the year begins in March.
inline long __ws_days(long year, long month, long day) {
    long shifted = year - (month <= 2), era = (shifted >= 0 ? shifted : shifted - 399) / 400;
    long of_era = shifted - era * 400, of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year;
}
#define __WS_EPOCH 719468
inline struct tm *gmtime_r(const time_t *time, struct tm *made) {
    long days = *time / 86400, second = *time % 86400;
    if (second < 0) {
        second += 86400;
        --days;
    }
    long from = days + __WS_EPOCH, era = (from >= 0 ? from : from - 146096) / 146097, of_era = from - era * 146097;
    long year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    long of_year = of_era - (365 * year + year / 4 - year / 100), month = (5 * of_year + 2) / 153;
    made->tm_mday = (int)(of_year - (153 * month + 2) / 5 + 1);
    made->tm_mon = (int)(month < 10 ? month + 2 : month - 10);
    year += era * 400 + (made->tm_mon <= 1);
    made->tm_year = (int)(year - 1900);
    made->tm_hour = (int)(second / 3600);
    made->tm_min = (int)(second / 60 % 60);
    made->tm_sec = (int)(second % 60);
    made->tm_wday = (int)((days % 7 + 11) % 7);
    made->tm_yday = (int)(from - __ws_days(year, 1, 1));
    made->tm_isdst = 0;
    made->tm_gmtoff = 0;
    made->tm_zone = "UTC";
    return made;
}
inline struct tm *localtime_r(const time_t *time, struct tm *made) { return gmtime_r(time, made); }
inline struct tm *gmtime(const time_t *time) { return gmtime_r(time, &__ws_tm); }
inline struct tm *localtime(const time_t *time) { return gmtime_r(time, &__ws_tm); }
inline time_t mktime(struct tm *date) {
    long month = date->tm_mon % 12, year = date->tm_year + 1900L + date->tm_mon / 12;
    if (month < 0) {
        month += 12;
        --year;
    }
    long days = __ws_days(year, month + 1, 1) - __WS_EPOCH + date->tm_mday - 1;
    time_t time = days * 86400 + date->tm_hour * 3600L + date->tm_min * 60L + date->tm_sec;
    gmtime_r(&time, date);
    return time;
}
inline time_t timegm(struct tm *date) { return mktime(date); }
inline void tzset() {}
inline const char *__ws_name(const char *names, int at) {
    while (at-- > 0) names += strlen(names) + 1;
    return names;
}
#define __WS_WEEKDAYS "Sunday\0Monday\0Tuesday\0Wednesday\0Thursday\0Friday\0Saturday\0"
#define __WS_MONTHS \
    "January\0February\0March\0April\0May\0June\0July\0August\0September\0October\0November\0December\0"
inline char *asctime_r(const struct tm *date, char *to) {
    sprintf(to, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", __ws_name(__WS_WEEKDAYS, date->tm_wday),
            __ws_name(__WS_MONTHS, date->tm_mon), date->tm_mday, date->tm_hour, date->tm_min, date->tm_sec,
            1900 + date->tm_year);
    return to;
}
inline char *asctime(const struct tm *date) { return asctime_r(date, __ws_date); }
inline char *ctime(const time_t *time) { return asctime(gmtime(time)); }
inline char *ctime_r(const time_t *time, char *to) {
    struct tm made;
    return asctime_r(gmtime_r(time, &made), to);
}
// The week of the year: `first` is the weekday with which a week begins.
inline int __ws_week(const struct tm *date, int first) {
    return (date->tm_yday + 7 - (date->tm_wday - first + 7) % 7) / 7;
}
// The week and the year of ISO 8601.
inline int __ws_iso(const struct tm *date, int *year) {
    int weekday = (date->tm_wday + 6) % 7, week = (date->tm_yday - weekday + 10) / 7;
    *year = date->tm_year + 1900;
    if (week < 1) {
        --*year;
        int leap = *year % 4 == 0 && (*year % 100 != 0 || *year % 400 == 0);
        return (date->tm_yday + 365 + leap - weekday + 10) / 7;
    }
    int leap = *year % 4 == 0 && (*year % 100 != 0 || *year % 400 == 0);
    if (week == 53 && date->tm_yday - weekday + 3 >= 365 + leap) {
        ++*year;
        return 1;
    }
    return week;
}
inline size_t strftime(char *to, size_t size, const char *format, const struct tm *date) {
    size_t used = 0;
    for (; *format; ++format) {
        char part[96];
        const char *nested = 0;
        part[0] = 0;
        if (*format != '%') {
            part[0] = *format;
            part[1] = 0;
        } else {
            ++format;
            if (*format == 'E' || *format == 'O') ++format;
            int hour = date->tm_hour % 12 ? date->tm_hour % 12 : 12, year;
            switch (*format) {
            case 'a': sprintf(part, "%.3s", __ws_name(__WS_WEEKDAYS, date->tm_wday)); break;
            case 'A': sprintf(part, "%s", __ws_name(__WS_WEEKDAYS, date->tm_wday)); break;
            case 'b':
            case 'h': sprintf(part, "%.3s", __ws_name(__WS_MONTHS, date->tm_mon)); break;
            case 'B': sprintf(part, "%s", __ws_name(__WS_MONTHS, date->tm_mon)); break;
            case 'c': nested = "%a %b %e %H:%M:%S %Y"; break;
            case 'C': sprintf(part, "%02d", (date->tm_year + 1900) / 100); break;
            case 'd': sprintf(part, "%02d", date->tm_mday); break;
            case 'x':
            case 'D': nested = "%m/%d/%y"; break;
            case 'e': sprintf(part, "%2d", date->tm_mday); break;
            case 'F': nested = "%Y-%m-%d"; break;
            case 'g': __ws_iso(date, &year), sprintf(part, "%02d", year % 100); break;
            case 'G': __ws_iso(date, &year), sprintf(part, "%d", year); break;
            case 'H': sprintf(part, "%02d", date->tm_hour); break;
            case 'I': sprintf(part, "%02d", hour); break;
            case 'j': sprintf(part, "%03d", date->tm_yday + 1); break;
            case 'k': sprintf(part, "%2d", date->tm_hour); break;
            case 'l': sprintf(part, "%2d", hour); break;
            case 'm': sprintf(part, "%02d", date->tm_mon + 1); break;
            case 'M': sprintf(part, "%02d", date->tm_min); break;
            case 'n': part[0] = '\n', part[1] = 0; break;
            case 'p': sprintf(part, "%s", date->tm_hour < 12 ? "AM" : "PM"); break;
            case 'P': sprintf(part, "%s", date->tm_hour < 12 ? "am" : "pm"); break;
            case 'r': nested = "%I:%M:%S %p"; break;
            case 'R': nested = "%H:%M"; break;
            case 's': {
                struct tm copy = *date;
                sprintf(part, "%ld", mktime(&copy));
                break;
            }
            case 'S': sprintf(part, "%02d", date->tm_sec); break;
            case 't': part[0] = '\t', part[1] = 0; break;
            case 'X':
            case 'T': nested = "%H:%M:%S"; break;
            case 'u': sprintf(part, "%d", date->tm_wday ? date->tm_wday : 7); break;
            case 'U': sprintf(part, "%02d", __ws_week(date, 0)); break;
            case 'V': sprintf(part, "%02d", __ws_iso(date, &year)); break;
            case 'w': sprintf(part, "%d", date->tm_wday); break;
            case 'W': sprintf(part, "%02d", __ws_week(date, 1)); break;
            case 'y': sprintf(part, "%02d", (date->tm_year % 100 + 100) % 100); break;
            case 'Y': sprintf(part, "%d", date->tm_year + 1900); break;
            case 'z': sprintf(part, "+0000"); break;
            case 'Z': sprintf(part, "UTC"); break;
            case '%': part[0] = '%', part[1] = 0; break;
            default: sprintf(part, "%%%c", *format);
            }
        }
        if (nested) strftime(part, sizeof(part), nested, date);
        size_t length = strlen(part);
        if (used + length >= size) return 0;
        memcpy(to + used, part, length);
        used += length;
    }
    to[used] = 0;
    return used;
}
#define TIME_UTC 1
inline int timespec_get(struct timespec *out, int base) {
    if (base != TIME_UTC) return 0;
    clock_gettime(CLOCK_REALTIME, out);
    return base;
}
#ifndef __WARPSIM_C__
namespace std {
using ::asctime;
using ::ctime;
using ::gmtime;
using ::localtime;
using ::mktime;
using ::strftime;
using ::tm;
}
#endif
