//! The states of warps as the browser shows them: the rows of `WarpState` as data.

use serde::Serialize;
use sim_core::stats::WarpState;

/// A state of a warp.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "StateEntry"))]
pub struct State {
    /// Key in reports.
    #[cfg_attr(test, ts(type = "string"))]
    pub key: WarpState,
    /// Name in tables.
    pub label: &'static str,
    /// Meaning.
    pub about: &'static str,
    /// Color, as CSS has it.
    pub color: String,
}

/// Returns all states, in the order of their numbers.
pub fn states() -> Vec<State> {
    let state = |key: WarpState| {
        let row = key.row();
        State { key, label: row.label, about: row.explanation, color: format!("#{:06x}", row.color) }
    };
    WarpState::ALL.into_iter().map(state).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_get_the_states_in_the_order_of_the_engine_by_their_keys_in_reports() {
        let key = |state: State| serde_json::to_string(&state.key).expect("a key").replace('"', "");
        let keys: Vec<String> = states().into_iter().map(key).collect();
        let expected = "issuing not_selected pipe_busy lsu_full fetch execution_dependency \
            constant_dependency shared_dependency memory_dependency membar barrier exited";
        assert_eq!(keys.join(" "), expected);
    }
}
