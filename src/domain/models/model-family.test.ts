/** Two models of one family share blind spots; whoever calls itself something else must not slip past that. */
import { describe, expect, it } from 'vitest';
import { areIndependent, familyOnRecord, modelFamily } from './model-family.ts';

describe('modelFamily', () => {
  it.each([
    ['claude-sonnet-4-5', 'claude'],
    ['anthropic:opus', 'claude'],
    ['Claude', 'claude'],
    ['openrouter:anthropic/claude-haiku', 'claude'],
    ['google:gemini-3-pro', 'gemini'],
    ['gemma-3', 'gemini'],
    ['gpt-5', 'gpt'],
    ['o3-mini', 'gpt'],
    ['openai:o4', 'gpt'],
    ['codex', 'gpt'],
    ['llama-4', 'llama'],
    ['mixtral-8x7b', 'mistral'],
    ['codestral', 'mistral'],
    ['qwen3', 'qwen'],
    ['deepseek-v3', 'deepseek'],
    ['xai:grok-4', 'grok'],
    ['cassette:gemini-2.5-pro', 'gemini'],
    ['cassette:o3', 'gpt'],
    ['Home-Made', 'home-made'],
    ['solo3', 'solo3'],
  ])('%s is of the family %s', (name, family) => {
    expect(modelFamily(name)).toBe(family);
  });
});

describe('familyOnRecord', () => {
  it.each([
    ['anthropic:claude-sonnet-4-5', 'claude'],
    ['openai:deepseek-v3', 'deepseek'],
    ['openai:home-made', 'home-made'],
    ['claude:default', 'claude'],
    ['cassette:gemini-pro', 'gemini'],
    ['record:gemini-pro', 'gemini'],
    ['record:cassette:gpt-5', 'gpt'],
    ['builtin:outline', null],
    ['record:builtin:checklist', null],
  ])('%s is of the family %s', (name, family) => {
    expect(familyOnRecord(name)).toBe(family);
  });
});

describe('areIndependent', () => {
  it.each([
    ['claude', 'gemini', true],
    ['claude', 'claude', false],
    ['home-made', 'home-made', false],
    [null, 'claude', true],
    ['claude', null, true],
    [null, null, true],
  ])('a drafter of %s and a reviewer of %s: %s', (drafter, reviewer, independent) => {
    expect(areIndependent({ family: drafter }, { family: reviewer })).toBe(independent);
  });
});
