import { createServer } from 'node:http'
import { expect, test, vi } from 'vitest'
import { reserveFreePort } from '#platform/testing/launch.ts'
import { waitOn } from './waiting.mjs'

test('an early visitor sees the current step of the start; then the port is free', async () => {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
  const port = await reserveFreePort()
  const waiting = waitOn({ PORT: String(port), HOST: '127.0.0.1' })
  waiting.say({ en: 'Starting PostgreSQL ...', zh: '启动 PostgreSQL' })
  const ask = (accept: string, method = 'GET') => fetch(`http://127.0.0.1:${port}/api`, { method, headers: { accept } })
  await expect.poll(() => ask('text/html').catch(() => undefined)).toBeDefined()
  const page = await ask('text/html')
  expect([page.status, page.headers.get('x-mingxi-starting'), page.headers.get('retry-after')]).toEqual([503, '1', '1'])
  expect(await page.text()).toMatch(/启动 PostgreSQL[\s\S]*Starting PostgreSQL/)
  expect(await (await ask('application/json')).json()).toEqual({ error: { message: 'Starting PostgreSQL ...', type: 'unavailable' } })
  expect(await (await ask('text/html', 'HEAD')).text()).toBe('')
  expect(printed.mock.calls.flat().join('\n')).toContain('Starting PostgreSQL')
  await waiting.close()
  const next = createServer()
  await new Promise<void>((done, failed) => next.once('error', failed).listen(port, '127.0.0.1', done))
  next.close()
  // A port that is in use is left alone.
  const other = createServer().listen(port, '127.0.0.1')
  await waitOn({ PORT: String(port), HOST: '127.0.0.1' }).close()
  other.close()
  printed.mockRestore()
})
