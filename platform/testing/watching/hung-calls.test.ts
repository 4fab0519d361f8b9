import { expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { hungCalls } from './hung-calls.ts'

test('a call of the browser that never ends is told by name, and fails', async () => {
  const browser = await openBrowser()
  const said: string[] = []
  const calls = hungCalls((line) => said.push(line), 2_000)
  const context = await browser.newContext({ logger: calls.logger })
  calls.watch(browser, context)
  const page = await context.newPage()
  expect(await page.evaluate('1 + 1')).toBe(2)
  expect(await page.evaluate('new Promise(() => {})').catch((error: Error) => error.message)).toMatch(/page\.evaluate: .*closed/)
  expect(said).toEqual(['page.evaluate did not end within 2 s: its context was closed'])
})

test('calls that end, fail, or run beside one another are left alone', async () => {
  const browser = await openBrowser()
  const said: string[] = []
  const calls = hungCalls((line) => said.push(line), 1_500)
  const context = await browser.newContext({ logger: calls.logger })
  calls.watch(browser, context)
  const page = await context.newPage()
  const slow = 'new Promise((done) => setTimeout(done, 500, 1))'
  for (let round = 0; round < 4; round++) {
    expect(await Promise.all([page.evaluate(slow), page.evaluate(slow)])).toEqual([1, 1])
    await expect(page.evaluate('throw new Error("no")')).rejects.toThrow('no')
    await expect(page.click('#nothing', { timeout: 100 })).rejects.toThrow('Timeout')
  }
  expect(said).toEqual([])
})
