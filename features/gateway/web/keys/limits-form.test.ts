import { describe, expect, test } from 'vitest'
import type { KeyLimitsView } from '../../contract-limits.ts'
import { EMPTY_LIMITS_FORM, toLimitsForm, parseLimitsForm } from './limits-form.ts'

const SHOWN: KeyLimitsView = {
  expiresAt: '2026-12-31T16:00:00.000Z',
  models: ['openai/*', 'claude-opus-5'],
  networks: ['203.0.113.0/24', '2001:db8::/32'],
  requestsPerMinute: 60,
  tokensPerMinute: 200_000,
  concurrency: 8,
  dayBudget: '2',
  monthBudget: '30.5',
  onDisconnect: 'drain',
}

describe('limits as they are typed', () => {
  test('limits that are shown are sent back unchanged', () => {
    const form = toLimitsForm(SHOWN)
    expect(form).toMatchObject({ lastDay: '2026-12-31', dayBudget: '2.00', monthBudget: '30.50', models: 'openai/*\nclaude-opus-5' })
    expect(parseLimitsForm(form, SHOWN)).toEqual({ limits: { ...SHOWN, dayBudget: '2.00', monthBudget: '30.50' } })
  })

  test('an empty form sets no limits', () => {
    expect(toLimitsForm(null)).toBe(EMPTY_LIMITS_FORM)
    const sent = parseLimitsForm(EMPTY_LIMITS_FORM, null)
    expect(sent).toMatchObject({ limits: { expiresAt: null, models: [], networks: [], requestsPerMinute: null, dayBudget: null } })
  })

  test('a moment set elsewhere stays while its day does; another day ends at its midnight in Shanghai', () => {
    const before = { ...SHOWN, expiresAt: '2026-12-31T05:30:00.000Z' }
    expect(toLimitsForm(before).lastDay).toBe('2026-12-31')
    expect(parseLimitsForm(toLimitsForm(before), before)).toMatchObject({ limits: { expiresAt: before.expiresAt } })
    expect(parseLimitsForm({ ...toLimitsForm(before), lastDay: '2027-01-01' }, before)).toMatchObject({ limits: { expiresAt: '2027-01-01T16:00:00.000Z' } })
  })

  test('lists are parted by lines, spaces and commas of both kinds', () => {
    expect(parseLimitsForm({ ...EMPTY_LIMITS_FORM, models: ' gpt-6-luna，openai/*\n claude-*;' }, null)).toMatchObject({
      limits: { models: ['gpt-6-luna', 'openai/*', 'claude-*'] },
    })
  })

  test.each([
    [{ models: 'gpt 6*x' }, 'models', '6*x'],
    [{ networks: '10.0.0.0/33' }, 'networks', '10.0.0.0/33'],
    [{ networks: 'example.com' }, 'networks', 'example.com'],
    [{ requestsPerMinute: '0' }, 'requestsPerMinute', undefined],
    [{ tokensPerMinute: '1.5' }, 'tokensPerMinute', undefined],
    [{ concurrency: '-1' }, 'concurrency', undefined],
    [{ dayBudget: '0' }, 'dayBudget', undefined],
    [{ monthBudget: '1e3' }, 'monthBudget', undefined],
  ])('%j is wrong', (change, wrong, word) => {
    expect(parseLimitsForm({ ...EMPTY_LIMITS_FORM, ...change }, null)).toEqual(word === undefined ? { wrong } : { wrong, word })
  })
})
