import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { pickLook, openBrowser } from '#platform/testing/browser.ts'
import { readCopiedText as lastCopied } from '#platform/testing/browsing/copied-text.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { forwardTexts } from '#features/gateway/texts-forward.ts'
import { gatewayTexts } from '#features/gateway/texts.ts'
import { callPlatform } from '../../visitor.ts'
import { aBrowserPayer, fundPayer, createPageCheck } from '../pay-visit.ts'

// A member without money sees the reason; then creates a key while the network fails, and uses it with each base URL in the vendors' own
// packages; then rotates it, and the old key works for one more day.
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])
const HELLO = [{ role: 'user' as const, content: '你好' }]

/** Makes one call with each vendor's own package, at the base URL that the page lists for it. */
async function callAll(key: string, at: (family: string) => Promise<string>): Promise<void> {
  const openai = new OpenAI({ apiKey: key, baseURL: await at('openai'), maxRetries: 0 })
  expect((await openai.chat.completions.create({ model: 'gpt-6.1-sol', messages: HELLO })).choices[0]!.message.content).toBeTruthy()
  const claude = new Anthropic({ apiKey: key, baseURL: await at('claude'), maxRetries: 0 })
  expect((await claude.messages.create({ model: 'claude-sonnet-5-5', max_tokens: 100, messages: HELLO })).content).not.toEqual([])
  const gemini = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: await at('gemini') } })
  expect((await gemini.models.generateContent({ model: 'gemini-3.8-flash', contents: '你好' })).text).toBeTruthy()
}

test.each(pickLook())('$width $lang $theme: an address and a key for clients that take no more, replaced, and charged for what they did', async (look) => {
  const [t, g] = [forwardTexts[look.lang], gatewayTexts[look.lang]]
  const member = await aBrowserPayer(browser, server, look)
  const { page, problems, context } = member
  const seen = createPageCheck(page, look)
  const db = connect(server.databaseUrl, { max: 1 })
  const balance = async () =>
    parseUsd((await callPlatform(server, 'GET', { path: '/v1/userWrapperApi/balanceInfo', headers: { accesstoken: member.token } })).data.balance as string)
  const make = page.getByRole('button', { name: t.forwardMake, exact: true })
  const shown = page.locator('code[aria-label]')
  const copied = async (name: string): Promise<string> => {
    await page.getByRole('button', { name, exact: true }).click()
    return lastCopied(page)
  }
  const address = (family: string) => copied(`${t.forwardCopyBase} · ${t[`forwardFor_${family}` as 'forwardFor_openai']}`)

  await page.goto(`${server.baseUrl}/api-forwards`)
  await make.click()
  await page.getByRole('alert').getByText(g['error_KEY_NEEDS_BALANCE'], { exact: true }).waitFor()
  await seen('forward-no-money', 'passes')
  await page.getByRole('alert').getByRole('button', { name: t.forwardTopUp, exact: true }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await fundPayer(server, member, 5_000_000_000n)

  // The response is lost; a retry returns the same key, and it is the only one
  await page.route('**/reward/gptForward/apply', async (route) => (await route.fetch(), route.abort()), { times: 1 })
  await make.click()
  await page.getByRole('alert').waitFor()
  await make.click()
  await shown.waitFor()
  await seen('forward-made', 'passes')
  const first = await copied(t.forwardCopyKey)
  expect(first).toBe(await shown.innerText())
  expect(await db.query('select 1 from gateway_keys where user_id = $1', [member.userId])).toHaveLength(1)
  await callAll(first, address)

  await page.reload()
  await page.getByText(first.slice(-4)).waitFor()
  expect(await page.content()).not.toContain(first)
  const renew = page.getByRole('button', { name: t.forwardAnew, exact: true })
  await renew.click()
  await page.getByRole('alertdialog').getByText(t.forwardAnewBody, { exact: true }).waitFor()
  await seen('forward-replace')
  await page.getByRole('alertdialog').getByRole('button', { name: t.forwardAnew, exact: true }).click()
  await shown.waitFor()
  const second = await copied(t.forwardCopyKey)
  expect(second).not.toBe(first)
  await expect.poll(() => renew.isDisabled()).toBe(true)
  await seen('forward-replaced', 'passes')
  for (const key of [first, second]) await callAll(key, address)

  await db.query(
    `update gateway_key_secrets set ends_at = clock_timestamp() where key_id = (select key_id from gateway_keys where user_id = $1) and ends_at is not null`,
    [member.userId],
  )
  await expect.poll(async () => (await fetch(`${await address('openai')}/models`, { headers: { authorization: `Bearer ${first}` } })).status).toBe(401)
  await callAll(second, address)

  const charged = async () =>
    (
      await db.query<{ sum: bigint }>('select coalesce(sum(amount), 0)::bigint as sum from gateway_usage where user_id = $1 and amount > 0', [member.userId])
    )[0]!.sum
  await expect.poll(async () => 5_000_000_000n - (await balance()) === (await charged())).toBe(true)
  expect(await db.query('select 1 from gateway_usage where user_id = $1 and amount > 0', [member.userId])).toHaveLength(12)
  expect(problems.filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([])
  await db.close()
  await context.close()
})
