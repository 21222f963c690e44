//! Tests: every name has an explanation, and the explanations refer to existing names.

use super::*;

fn name_found(name: &str) -> &'static str {
    match find(name).unwrap_or_else(|e| panic!("{}", e.message)) {
        Topic::Metric(metric, _) => metric.name,
        Topic::Limit(limiter) => limiter.name(),
        Topic::Diagnostic(code, ..) => code,
        Topic::Term(term) => &term.name,
    }
}

#[test]
fn every_name_leads_to_its_topic() {
    for topic in all() {
        let own = entry(topic).name;
        // Metrics and limits have names that terms have, too.
        let names = names(topic);
        if matches!(topic, Topic::Term(_) | Topic::Limit(_)) {
            for name in &names {
                assert!(!name_found(name).is_empty(), "{name}");
            }
            continue;
        }
        for name in names {
            assert_eq!(name_found(&name), own, "{name}");
        }
    }
    for state in WarpState::ALL {
        let (name, label) = (metrics::name_of(state), state.label());
        let metric = name_found(&name);
        assert!(metric.ends_with(&name), "{name}: {metric}");
        assert_eq!(name_found(&format!("stall_{name}")), metric);
        assert_eq!(name_found(label), metric);
        assert_eq!(name_found(&label.to_uppercase()), metric);
    }
    for outcome in SlotBreakdown::LIST {
        let metric = name_found(outcome.name);
        let (Topic::Metric(found, _), true) = (find(outcome.name).unwrap(), !metric.is_empty()) else {
            panic!("{} is an outcome", outcome.name)
        };
        assert!(found.field().unwrap().contains(outcome.name), "{}: {metric}", outcome.name);
    }
    for (name, metric) in [
        ("timing.ipc", "ipc"),
        ("timing.slots.held", "slots_held"),
        ("Memory  Dependency", "stall_memory_dependency"),
        ("e0101", "E0101"),
        ("IPC", "ipc"),
        ("global-memory latency", "memory_latency"),
        ("issue rate", "issue_rate"),
    ] {
        assert_eq!(name_found(name), metric, "{name}");
    }
}

#[test]
fn the_glossary_is_explained() {
    for (name, meaning) in [
        ("coalescing", "The combination of the accesses"),
        ("divergence", "A branch at which active lanes"),
        ("warp", "32 threads of a block"),
        ("warps", "32 threads of a block"),
        ("transaction", "One transfer of an aligned range"),
        ("bar.sync", "A place where the warps of a block wait"),
        ("__syncthreads", "A place where the warps of a block wait"),
        ("memory partition", "A part of the memory system"),
        ("fp_mad", "f32 multiply-add"),
        ("SMs used", "SMs that executed at least one block"),
        ("compute units used", "compute units that executed at least one work-group"),
        ("local memory per work-group", "bytes of local memory of a work-group"),
    ] {
        let entry = entry(find(name).unwrap_or_else(|e| panic!("{}", e.message)));
        assert!(entry.meaning.starts_with(meaning), "{name}: {}", entry.meaning);
    }
    assert_eq!(entry(find("divergence").unwrap()).related, ["docs/extending/rules.md"]);
    assert!(TERMS.len() > 150, "{} terms", TERMS.len());
}

#[test]
fn an_unknown_name_suggests_names() {
    let message = |name: &str| {
        let failure = find(name).unwrap_err();
        assert_eq!(failure.code, Code::BadInput);
        failure.message
    };
    assert!(message("memory_dependancy").contains("did you mean `memory_dependency`"));
    assert!(message("E0999").starts_with("error: `E0999` is no metric, warp state, limit, code or term"));
    assert!(message("hit_rate").contains("`l2_read_hit_rate`"));
    assert!(message("qqqqqqqq").ends_with("term\n`warpsim explain` lists all names"));
}

#[test]
fn a_text_has_its_formula_advice_and_related_names() {
    let text = text::topic(&entry(find("ipc").unwrap()));
    for part in ["ipc\n", "inst_executed / (cycles * sms)", "timing.ipc", "instructions/cycle", "slots_empty"]
    {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let text = text::topic(&entry(find("memory dependency").unwrap()));
    for part in ["stall_memory_dependency\n", "resident_warp_cycles", "gld_efficiency", "coalesce"] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let text = text::topic(&entry(find("W0302").unwrap()));
    assert!(text.contains("the header is newer") && text.contains("PTX"), "{text}");
    let list = text::list();
    assert!(metrics::ALL.iter().all(|metric| list.contains(metric.name)), "{list}");
    assert!(list.lines().chain(text.lines()).all(|line| line.chars().count() <= 80), "{list}");
}

#[test]
fn the_advice_on_a_limit_names_metrics_and_commands_that_exist() {
    for (word, limiter) in Limiter::NAMES {
        assert!(!limiter.explanation().is_empty() && limiter.advice().ends_with('.'), "{word}");
        for name in metrics::quoted(limiter.advice()).filter(|name| !name.starts_with("warpsim ")) {
            assert!(metrics::find(name).is_ok(), "{word}: {name}");
        }
    }
}
