/** The example of the document that defines issue-state.json, byte for byte. */
export const documentedState = `{
  "version": "1.0",
  "issue": {
    "number": 42,
    "title": "Fix allocation slider not persisting values",
    "url": "https://github.com/owner/repo/issues/42",
    "type": "BUG_FIX | NEW_FEATURE | REFACTOR_STYLE",
    "original_body": "Original issue description...",
    "labels": ["bug", "frontend"]
  },
  "pipeline": {
    "started_at": "2024-01-15T10:30:00Z",
    "current_agent": "writer",
    "attempt": 1,
    "max_attempts": 3,
    "status": "in_progress | completed | failed | blocked"
  },
  "triage": {
    "completed": false,
    "scope": "SMALL | MEDIUM | LARGE",
    "complexity": "simple | moderate | complex",
    "should_proceed": true,
    "rejection_reason": null
  },
  "analysis": {
    "completed": false,
    "files": [
      {
        "path": "src/components/Slider.tsx",
        "purpose": "Main slider component",
        "action": "modify"
      }
    ],
    "patterns": [
      "State management uses React useState hooks",
      "API calls use the useApi hook from hooks/useApi.ts"
    ],
    "test_requirement": {
      "required": true,
      "type": "regression",
      "location": "tests/components/Slider.test.tsx",
      "description": "Test that slider value persists after save"
    },
    "must_do": [
      "Fix the slider value persistence on save"
    ],
    "must_not_do": [
      "Don't refactor the existing state management",
      "Don't modify the API response format"
    ],
    "brief": "Full markdown brief for writer..."
  },
  "writer": {
    "completed": false,
    "attempt": 1,
    "changes": [
      {
        "file": "src/components/Slider.tsx",
        "description": "Added debounce to onChange handler"
      }
    ],
    "test_written": true,
    "test_file": "tests/components/Slider.test.tsx",
    "summary": "Writer's summary of changes...",
    "previous_feedback": null
  },
  "build": {
    "completed": false,
    "tests_passed": false,
    "lint_passed": false,
    "type_check_passed": false,
    "errors": [],
    "commands_run": [
      { "command": "npm test", "exit_code": 0, "output": "..." },
      { "command": "npm run lint", "exit_code": 0, "output": "..." }
    ]
  },
  "review": {
    "completed": false,
    "verdict": "APPROVED | REJECTED | NEEDS_INFO",
    "findings": {
      "good": ["Minimal change", "Follows existing patterns"],
      "issues": [
        {
          "file": "src/components/Slider.tsx",
          "line": 42,
          "issue": "Missing null check",
          "severity": "major"
        }
      ]
    },
    "feedback_for_writer": null
  },
  "commit": {
    "completed": false,
    "hash": null,
    "message": null,
    "branch": "agent/issue-42",
    "pushed": false,
    "pr_created": false,
    "pr_url": null,
    "issue_closed": false
  },
  "communication": {
    "questions": [
      {
        "from": "writer",
        "to": "analyst",
        "question": "Should the debounce time be configurable?",
        "answered": false,
        "answer": null
      }
    ],
    "escalations": [
      {
        "agent": "reviewer",
        "reason": "Security-sensitive change detected",
        "requires_human": true,
        "resolved": false
      }
    ]
  },
  "learnings": {
    "session_id": "2024-01-15-issue-42",
    "observations": [
      {
        "agent": "writer",
        "type": "pattern_discovered",
        "content": "This repo uses debounce from lodash, not custom implementation"
      }
    ],
    "outcome": null
  }
}
`;
