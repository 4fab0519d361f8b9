import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { watchHungCalls } from './hung-calls.ts'

test('a browser call that never ends is reported by name, and fails', async () => {
  const browser = await openBrowser()
  const said: string[] = []
  let now = 0
  const calls = watchHungCalls(
    (line) => said.push(line),
    1_000,
    () => now,
  )
  const context = await browser.newContext({ logger: calls.logger })
  calls.watch(browser, context)
  const page = await context.newPage()
  expect(await page.evaluate('1 + 1')).toBe(2)
  const hung = page.evaluate('new Promise(() => {})').catch((error: Error) => error.message)
  now = 1_001
  expect(await hung).toMatch(/page\.evaluate: .*closed/)
  expect(said).toEqual(['page.evaluate did not end within 1 s: its context was closed'])
})

test('calls that end, fail, or run beside one another are left alone', async () => {
  const browser = await openBrowser()
  const said: string[] = []
  let now = 0
  const calls = watchHungCalls(
    (line) => said.push(line),
    1_000,
    () => now,
  )
  const context = await browser.newContext({ logger: calls.logger })
  calls.watch(browser, context)
  const page = await context.newPage()
  await page.evaluate("window.ends = []; addEventListener('keydown', () => ends.shift()(1))")
  const pending = () => page.evaluate('new Promise((done) => ends.push(done))')
  const later = async () => {
    now += 600
    // The watcher checks 20 times per limit.
    await wait(200)
  }
  for (let round = 0; round < 3; round++) {
    const first = pending()
    await later()
    const second = pending()
    await page.keyboard.press('a')
    expect(await first).toBe(1)
    await later()
    await page.keyboard.press('a')
    expect(await second).toBe(1)
    await expect(page.evaluate('throw new Error("no")')).rejects.toThrow('no')
    await expect(page.click('#nothing', { timeout: 1 })).rejects.toThrow('Timeout')
    await later()
  }
  expect(said).toEqual([])
})
