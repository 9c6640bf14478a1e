//! `aws/common/date_time.h`: points in time as C programs take them apart.

use std::ffi::c_char;
use std::mem::MaybeUninit;

/// How a date is written.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_date_format {
    /// As in HTTP: `Wed, 02 Oct 2002 08:05:09 GMT`.
    AWS_DATE_FORMAT_RFC822,
    /// `2002-10-02T08:05:09Z`.
    AWS_DATE_FORMAT_ISO_8601,
    /// `20021002T080509Z`.
    AWS_DATE_FORMAT_ISO_8601_BASIC,
    /// Any of them, when reading.
    AWS_DATE_FORMAT_AUTO_DETECT,
}

/// Months of the year.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_date_month {
    AWS_DATE_MONTH_JANUARY = 0,
    AWS_DATE_MONTH_FEBRUARY,
    AWS_DATE_MONTH_MARCH,
    AWS_DATE_MONTH_APRIL,
    AWS_DATE_MONTH_MAY,
    AWS_DATE_MONTH_JUNE,
    AWS_DATE_MONTH_JULY,
    AWS_DATE_MONTH_AUGUST,
    AWS_DATE_MONTH_SEPTEMBER,
    AWS_DATE_MONTH_OCTOBER,
    AWS_DATE_MONTH_NOVEMBER,
    AWS_DATE_MONTH_DECEMBER,
}

/// Days of the week.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_date_day_of_week {
    AWS_DATE_DAY_OF_WEEK_SUNDAY = 0,
    AWS_DATE_DAY_OF_WEEK_MONDAY,
    AWS_DATE_DAY_OF_WEEK_TUESDAY,
    AWS_DATE_DAY_OF_WEEK_WEDNESDAY,
    AWS_DATE_DAY_OF_WEEK_THURSDAY,
    AWS_DATE_DAY_OF_WEEK_FRIDAY,
    AWS_DATE_DAY_OF_WEEK_SATURDAY,
}

/// A point in time. Filled in by the `aws_date_time_init_*` functions.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct aws_date_time {
    /// Seconds since 1970-01-01T00:00:00Z.
    pub timestamp: libc::time_t,
    pub milliseconds: u16,
    /// Name of the time zone that was read.
    pub tz: [c_char; 6],
    /// The same in UTC.
    pub gmt_time: libc::tm,
    /// The same in the time zone of this machine.
    pub local_time: libc::tm,
    /// Whether the text named no other zone than UTC.
    pub utc_assumed: bool,
}

/// Sets a point in time from seconds since 1970-01-01T00:00:00Z.
///
/// `dt`: written; NULL is nothing. `sec_ms`: the fraction is kept as milliseconds. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_date_time_init_epoch_secs(dt: *mut aws_date_time, sec_ms: f64) {
    ffi_fn!({
        // SAFETY: by the argument rules.
        if let Some(dt) = unsafe { dt.as_mut() } {
            set_seconds(dt, sec_ms);
        }
    })
}

fn set_seconds(dt: &mut aws_date_time, sec_ms: f64) {
    // A float outside of the integer's range becomes its end, and NaN becomes 0.
    dt.timestamp = sec_ms.trunc() as libc::time_t;
    dt.milliseconds = (sec_ms.fract() * 1000.0).round() as u16;
    dt.gmt_time = broken_down(dt.timestamp, false);
    dt.local_time = broken_down(dt.timestamp, true);
}

/// A point in time in UTC.
pub(crate) fn date_time_of(sec_ms: f64) -> aws_date_time {
    // SAFETY: integers only; zeros are a value.
    let mut dt: aws_date_time = unsafe { MaybeUninit::zeroed().assume_init() };
    set_seconds(&mut dt, sec_ms);
    dt.utc_assumed = true;
    dt
}

/// A time in its parts; all zeros where the year does not fit.
fn broken_down(time: libc::time_t, local: bool) -> libc::tm {
    let mut tm = MaybeUninit::<libc::tm>::zeroed();
    // SAFETY: both functions write the place they are given, and all zeros are a `tm`.
    unsafe {
        if local {
            libc::localtime_r(&time, tm.as_mut_ptr());
        } else {
            libc::gmtime_r(&time, tm.as_mut_ptr());
        }
        tm.assume_init()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn epoch_seconds_are_taken_apart() {
        // SAFETY: zeroed bytes are a date.
        unsafe {
            let mut dt = std::mem::zeroed::<aws_date_time>();
            aws_date_time_init_epoch_secs(&mut dt, 1_033_545_909.25);
            assert_eq!((dt.timestamp, dt.milliseconds), (1_033_545_909, 250));
            let t = dt.gmt_time;
            assert_eq!((t.tm_year, t.tm_mon, t.tm_mday), (102, 9, 2));
            assert_eq!((t.tm_hour, t.tm_min, t.tm_sec), (8, 5, 9));
            for hostile in [f64::NAN, f64::INFINITY, -1e300] {
                aws_date_time_init_epoch_secs(&mut dt, hostile);
            }
            aws_date_time_init_epoch_secs(std::ptr::null_mut(), 1.0);
        }
    }
}
