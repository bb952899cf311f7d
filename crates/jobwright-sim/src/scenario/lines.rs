//! Where the fields of a Job's spec stand in a text.
//!
//! Invariant: places only; whether the text is right is asked elsewhere. A text that cannot be read has no lines.

use jobwright_api::yaml::{self, Kind, Mode, Node};
use serde::Serialize;

/// A field and its lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct FieldLine {
    /// For example `spec.backoffLimit`.
    pub field: String,
    /// Its line, from 1.
    pub line: u32,
}

/// The fields of `spec` but for the template, and the template's `restartPolicy`.
#[must_use]
pub fn field_lines(text: &str) -> Vec<FieldLine> {
    let Ok(nodes) = yaml::parse(text, Mode::Lenient) else { return Vec::new() };
    let Some(spec) = nodes.iter().find_map(|root| root.get("job.spec").or_else(|| root.get("spec"))) else {
        return Vec::new();
    };
    let members = |node: &Node, before: &str| -> Vec<FieldLine> {
        let Kind::Mapping(members) = &node.value else { return Vec::new() };
        let line =
            |(key, _): &(Node, Node)| FieldLine { field: format!("{before}.{}", key.text()), line: key.span.line };
        members.iter().map(line).collect()
    };
    let mut lines = members(spec, "spec");
    let pod = spec.get("template.spec").map(|pod| members(pod, "spec.template.spec")).unwrap_or_default();
    lines.extend(pod.into_iter().filter(|line| line.field.ends_with(".restartPolicy")));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_stand_where_they_are_written() {
        let text = "job:\n  spec:\n    completions: 3\n    template:\n      spec:\n        restartPolicy: Never\n";
        let lines: Vec<_> = field_lines(text).into_iter().map(|line| (line.field, line.line)).collect();
        let expected = [("spec.completions", 3), ("spec.template", 4), ("spec.template.spec.restartPolicy", 6)];
        assert_eq!(lines, expected.map(|(field, line)| (field.to_owned(), line)));
        assert_eq!(field_lines("a: ["), []);
        assert_eq!(field_lines("spec: 3"), []);
    }
}
