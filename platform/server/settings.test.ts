import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Sql } from './database/db.ts'
import { createSettings, setting } from './settings.ts'

afterEach(() => vi.useRealTimers())

test('a clock that is set back does not keep old values', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  let value = 'old'
  const settings = createSettings({ query: async () => [{ key: 'word', value }] } as unknown as Sql, 0)
  const word = setting('word', z.string(), { fallback: '', about: 'A word' })
  expect(await settings.get(word)).toBe('old')
  value = 'new'
  vi.setSystemTime(Date.now() - 3_600_000)
  await vi.waitFor(async () => expect(await settings.get(word)).toBe('new'))
})
