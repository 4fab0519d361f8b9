import { afterEach, expect, test, vi } from 'vitest'
import { TIMED_OUT } from '#platform/web/calls/api-error.ts'
import { createApi } from '#platform/web/calls/api.ts'
import { remoteContract } from '../contract.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each(['getKasm', 'getKasmUrl', 'kasmCount'] as const)('%s waits 180 s for its answer and gives up then', async (name) => {
  vi.useFakeTimers()
  vi.stubGlobal(
    'fetch',
    (_: string, { signal }: RequestInit) => new Promise((_answer, refuse) => signal!.addEventListener('abort', () => refuse(signal!.reason))),
  )
  const ended = vi.fn<(error: unknown) => void>()
  createApi(remoteContract)[name]({}, { alone: true }).catch(ended)
  await vi.advanceTimersByTimeAsync(179_999)
  expect(ended).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(ended.mock.calls).toMatchObject([[{ code: TIMED_OUT }]])
})
