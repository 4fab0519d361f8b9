import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { expect, onTestFailed, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import { fill } from '#platform/shared/texts.ts'
import { parseUsd, formatUsd } from '#platform/shared/money.ts'
import { runAxe, openBrowser, openBrowserContext, measureOverflow } from '#platform/testing/browser.ts'
import type { Page } from 'playwright-core'
import type { PageLook } from '#platform/testing/browser.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { accountTexts } from '#features/account/texts.ts'
import { gatewayTexts } from '#features/gateway/texts.ts'
import { paymentTexts } from '#features/payments/texts.ts'
import { formatOrderTitle } from '#features/payments/texts-titles.ts'
import { callPlatform, solveCaptchaOverHttp, fetchMailedCode } from '../visitor.ts'
import { chooseSignInWay } from './account-visit.ts'
import { simulateTouch } from './pay-visit.ts'

// The product's main flow, as a new user follows it: register, top up, create a key, call with the three vendors' own SDKs, and find every
// call itemised; the balance falls by exactly their sum.
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])

const WAY: readonly PageLook[] = [
  { width: 1440, lang: 'zh', theme: 'light' },
  { width: 414, lang: 'en', theme: 'dark' },
]

test.each(WAY)('$lang at $width', async (look) => {
  const a = accountTexts[look.lang],
    g = gatewayTexts[look.lang],
    p = paymentTexts[look.lang]
  const { context, page, problems } = await openBrowserContext(browser, look)
  onTestFailed(async () => {
    await page.screenshot({ path: `e2e/.shots/first-call-${look.width}.png` })
  })
  const email = `new-user-${look.width}@example.com`

  await page.goto(`${server.baseUrl}/`)
  await page.getByRole('button', { name: a['auth_submit_login'], exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: a['auth_to_register'], exact: true }).click()
  await chooseSignInWay({ form: dialog, a }, 'email')
  await dialog.getByLabel(a['auth_email'], { exact: true }).fill(email)
  await dialog.getByRole('button', { name: a['auth_code_send'] }).click()
  await dialog
    .locator('input[autocomplete="one-time-code"]')
    .first()
    .fill(await fetchMailedCode(server, email))
  for (const field of [0, 1]) await dialog.locator('input[autocomplete="new-password"]').nth(field).fill('Correct horse battery 7')
  expect(await runAxe(page)).toEqual([])
  await dialog.getByRole('button', { name: a['auth_submit_register'], exact: true }).click()
  await page.waitForURL('**/api**')

  await page.getByRole('button', { name: g['recharge'], exact: true }).first().click()
  await dialog.getByRole('button', { name: new RegExp(fill(p['pay'], { amount: '¥' })) }).waitFor()
  await dialog.getByRole('radio').nth(2).check({ force: true })
  const pay = dialog.getByRole('button', { name: /¥[\d,.]+/ })
  await pay.click()
  await (look.width === 414 ? payInSameWindow(page, look.lang) : payByCode(page, p))

  await page.getByRole('button', { name: g['createKey'], exact: true }).first().click()
  await dialog.getByLabel(g['keyNameLabel']).fill('生产环境 <b>1</b>')
  await dialog.getByRole('button', { name: g['create'], exact: true }).click()
  const secret = await dialog.getByLabel(g['keySecretLabel']).innerText()
  expect(secret).toMatch(/^sk-\w{48}$/)
  expect(await runAxe(page)).toEqual([])
  expect(await measureOverflow(page)).toBe(0)
  await dialog.getByRole('button', { name: g['keySaved'], exact: true }).click()
  expect(await page.content()).not.toContain(secret)

  const token = await tokenOf(email)
  const before = await balance(token)
  await callThreeVendors(secret)
  const db = connect(server.databaseUrl, { max: 1 })
  const rows = await db.query<{ callId: string; amount: bigint }>(
    'select u.call_id, u.amount from gateway_usage u join gateway_keys k using (key_id) where right($1, 4) = k.last4 order by u.started_at',
    [secret],
  )
  await db.close()
  const spent = rows.map((row) => row.amount).reduce((sum, amount) => sum + amount, 0n)
  expect(rows.filter((row) => row.amount > 0n)).toHaveLength(9)
  // charges reach the ledger within 100 ms
  await expect.poll(async () => parseUsd(before) - parseUsd(await balance(token))).toBe(spent)

  await page.goto(`${server.baseUrl}/api?tab=billingDetails`)
  for (const { callId, amount } of rows) {
    const call = (await callPlatform(server, 'GET', { path: '/user/usage/call', input: { callId }, headers: { accesstoken: token } })).data as {
      amount: string
      lines: { amount: string }[]
    }
    expect(formatUsd(call.lines.map((line) => parseUsd(line.amount)).reduce((sum, part) => sum + part, 0n))).toBe(call.amount)
    expect(call.amount).toBe(formatUsd(amount))
  }
  await page.goto(`${server.baseUrl}/api?tab=billingDetails&call=${rows[0]!.callId}`)
  await page.waitForURL('**/api?tab=requests**')
  await expect.poll(() => page.getByRole('region', { name: g['callTitle'], exact: true }).innerText()).toContain(rows[0]!.callId)
  expect(await runAxe(page)).toEqual([])
  expect(problems).toEqual([])
  await context.close()
})

/** On a computer: a QR code for a phone; the test opens its address instead. The dialog notices the payment by itself. */
async function payByCode(page: Page, p: Readonly<Record<string, string>>): Promise<void> {
  const dialog = page.getByRole('dialog')
  const cashier = await dialog.getByRole('link', { name: p['open_cashier']! }).getAttribute('href')
  expect(await runAxe(page)).toEqual([])
  await fetch(cashier!, { method: 'POST', body: new URLSearchParams({ action: 'pay' }), redirect: 'manual' })
  await dialog.getByText(p['done_title']!, { exact: true }).waitFor()
  expect(await runAxe(page)).toEqual([])
  await dialog.getByRole('button', { name: p['done']!, exact: true }).click()
}

/** On a phone: the cashier takes over the window and leads back to the result page. */
async function payInSameWindow(page: Page, lang: PageLook['lang']): Promise<void> {
  await simulateTouch(page)
  await page.waitForURL('**/sandbox/pay/**')
  await page.locator('button[value="pay"]').click()
  await page.waitForURL('**/pay-result?**')
  await page.getByText(fill(paymentTexts[lang]['paid_title'], { title: formatOrderTitle(10, lang) }), { exact: true }).waitFor()
  expect(await runAxe(page)).toEqual([])
  await page.getByText(paymentTexts[lang]['result_to_balance'], { exact: true }).click()
}

const tokenOf = async (email: string) =>
  (
    await callPlatform(server, 'POST', {
      path: '/user/passwordLogin',
      input: {
        email,
        password: 'Correct horse battery 7',
        captchaVerifyParam: await solveCaptchaOverHttp(server, 'login'),
      },
    })
  ).data.token as string
const balance = async (token: string) =>
  (await callPlatform(server, 'GET', { path: '/v1/userWrapperApi/balanceInfo', headers: { accesstoken: token } })).data.balance as string

/** Makes a plain call, a stream, a tool call, a model list and a token count with each vendor's own package. */
async function callThreeVendors(apiKey: string): Promise<void> {
  const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  const ask = '上海天气怎么样，请用工具查'

  const openai = new OpenAI({ apiKey, baseURL: `${server.baseUrl}/v1` })
  const model = 'gpt-6.1-sol'
  expect((await openai.chat.completions.create({ model, messages: [{ role: 'user', content: '你好' }] })).choices[0]?.message.content).toBeTruthy()
  let text = ''
  for await (const chunk of await openai.chat.completions.create({ model, stream: true, messages: [{ role: 'user', content: '讲个故事' }] }))
    text += chunk.choices[0]?.delta.content ?? ''
  expect(text).toContain('讲个故事')
  const tool = await openai.chat.completions.create({
    model,
    messages: [{ role: 'user', content: ask }],
    tool_choice: 'required',
    tools: [{ type: 'function', function: { name: 'weather', parameters: schema } }],
  })
  expect(tool.choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { name: 'weather' } })
  expect((await openai.models.list()).data.map((one) => one.id)).toContain(model)

  const anthropic = new Anthropic({ apiKey, baseURL: server.baseUrl })
  const claude = { model: 'claude-sonnet-5-5', max_tokens: 300 }
  expect((await anthropic.messages.create({ ...claude, messages: [{ role: 'user', content: '你好' }] })).content[0]).toMatchObject({ type: 'text' })
  expect(
    (await anthropic.messages.stream({ ...claude, messages: [{ role: 'user', content: '讲个故事' }] }).finalMessage()).usage.output_tokens,
  ).toBeGreaterThan(0)
  const used = await anthropic.messages.create({
    ...claude,
    messages: [{ role: 'user', content: ask }],
    tool_choice: { type: 'any' },
    tools: [{ name: 'weather', input_schema: schema as Anthropic.Tool.InputSchema }],
  })
  expect(used.stop_reason).toBe('tool_use')
  expect((await anthropic.models.list()).data.map((one) => one.id)).toContain(claude.model)
  expect((await anthropic.messages.countTokens({ model: claude.model, messages: [{ role: 'user', content: ask }] })).input_tokens).toBeGreaterThan(0)

  const google = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: server.baseUrl } })
  const gemini = 'gemini-3.8-flash'
  expect((await google.models.generateContent({ model: gemini, contents: '你好' })).text).toBeTruthy()
  let parts = 0
  for await (const chunk of await google.models.generateContentStream({ model: gemini, contents: '讲个故事' })) parts += chunk.candidates?.length ?? 0
  expect(parts).toBeGreaterThan(0)
  const called = await google.models.generateContent({
    model: gemini,
    contents: ask,
    config: {
      tools: [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema: schema }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY' as never } },
    },
  })
  expect(called.functionCalls?.[0]?.name).toBe('weather')
  const listed: string[] = []
  for await (const one of await google.models.list()) listed.push(one.name ?? '')
  expect(listed).toContain(`models/${gemini}`)
  expect((await google.models.countTokens({ model: gemini, contents: ask })).totalTokens).toBeGreaterThan(0)
}
