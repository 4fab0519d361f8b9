import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RegisteredRouter } from '@tanstack/react-router'
import { endSession, useSession } from '#platform/web/state/session.ts'
import { watchSessionEnd } from './session-end.ts'

const reload = vi.fn<() => void>()
const replace = vi.fn<(to: string) => void>()
const state = { location: { pathname: '/', href: '/', search: {} } }
watchSessionEnd({ state } as unknown as RegisteredRouter)

beforeEach(() => {
  vi.useFakeTimers()
  const kept = new Map<string, string>()
  const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value), removeItem: () => {} }
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('sessionStorage', storage)
  vi.stubGlobal('location', { pathname: '/', reload, replace })
  useSession.setState({ token: 'token' })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  reload.mockReset()
  replace.mockReset()
})

test.each([
  ['a public page is loaded again', '/pricing', reload],
  ['a private page is left for the landing page', '/account', replace],
] as const)('100 ms after the end of a session %s', (_what, pathname, leave) => {
  state.location = { pathname, href: pathname, search: {} }
  endSession('expired')
  vi.advanceTimersByTime(99)
  expect(leave).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(leave).toHaveBeenCalledTimes(1)
})
