import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { shellTexts } from '#apps/web/texts.ts'
import { fill } from '#platform/shared/texts.ts'
import { axe, LOOKS, openBrowser, overflow } from '#platform/testing/browser.ts'
import { freePort } from '#platform/testing/free-port.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { until } from '#platform/testing/patience.ts'
import { supportTexts } from '#features/support/texts.ts'
import { DESKTOP, field, launcher, openStage, operate, panel, PHONE, signOutElsewhere, visit, words } from './stage.ts'
import { XSS } from '#platform/testing/xss.ts'

const SHOTS = 'e2e/.shots'
const t = supportTexts.zh
const browser = await openBrowser()
let server: TestServer
let stage: ReturnType<typeof openStage>

beforeAll(async () => {
  mkdirSync(SHOTS, { recursive: true })
  server = await startTestServer({ env: { SANDBOX_CHUNK_MS: '0', PORT: String(await freePort()) } })
  stage = openStage(server)
  await stage.db.query(
    `insert into settings (key, value, updated_by) values ('support.awaySeconds', '10', 'test'), ('support.operatorMailSeconds', '0', 'test')`,
  )
})
beforeEach(() => stage.db.query('delete from risk_counters'))
afterAll(async () => {
  await stage.close()
  await server.stop()
})

const newest = async (where = 'true') =>
  (await stage.db.query<{ id: string }>(`select id from support_conversations where ${where} order by created_at desc limit 1`))[0]!.id
const openPanel = async (page: Page, path: string) => {
  await page.goto(`${server.baseUrl}${path}`)
  await launcher(page).click()
  await panel(page).waitFor()
}
const begin = async (page: Page, text: string, email?: string) => {
  if (email) await panel(page).locator('input[type="email"]').fill(email)
  await field(page).fill(text)
  await panel(page).getByRole('button', { name: t['start'], exact: true }).click()
  await panel(page).getByRole('log').waitFor()
}

test('a visitor writes, leaves, comes back by reload and by the mailed link, and reads the answer', async () => {
  const { context, page, problems } = await visit(browser, DESKTOP)
  await openPanel(page, '/')
  await panel(page).getByRole('button', { name: t['start'], exact: true }).click()
  await panel(page).getByText(t['email_required']).waitFor()
  await panel(page).getByText(t['question_required']).waitFor()
  expect(await page.evaluate(`document.activeElement?.getAttribute('type')`)).toBe('email')
  await panel(page).locator('input[type="email"]').fill('不是邮箱')
  await panel(page).getByRole('button', { name: t['start'], exact: true }).click()
  await panel(page).getByText(t['email_invalid']).waitFor()
  await begin(page, '充值 20 美元没到账', 'visitor-link@example.com')
  expect(await words(page)).toEqual(['充值 20 美元没到账'])
  await panel(page).getByText('visitor-link@example.com').waitFor()
  const id = await newest(`visitor_email = 'visitor-link@example.com'`)
  await page.reload()
  await operate(server, id, 'answer', '已为您补上')
  await launcher(page).click()
  await panel(page).getByText('已为您补上').waitFor()
  await context.close()

  // a second answer, while the visitor is away: mailed, with a link back
  await operate(server, id, 'answer', '请查收')
  const link = await mailedLink('visitor-link@example.com')
  expect(new URL(link).search).toBe('')
  const other = await visit(browser, PHONE)
  await other.page.goto(link)
  await panel(other.page).waitFor()
  await panel(other.page).getByText('请查收').waitFor()
  expect(await words(other.page)).toEqual(['充值 20 美元没到账', '已为您补上', '请查收'])
  expect(other.page.url()).not.toContain('vis_')
  await field(other.page).fill('收到了')
  await panel(other.page).getByRole('button', { name: t['composer_send'], exact: true }).click()
  await panel(other.page).getByText(t['sent'], { exact: false }).last().waitFor()
  expect(await stage.db.query('select text from support_messages where conversation_id = $1 order by seq desc limit 1', [id])).toEqual([{ text: '收到了' }])
  await other.context.close()
  expect([...problems, ...other.problems]).toEqual([])
})

async function mailedLink(to: string): Promise<string> {
  return until(async () => {
    const mails = (await (await fetch(`${server.baseUrl}/sandbox/mails?to=${encodeURIComponent(to)}`)).json()) as { text: string }[]
    return /(http\S+#support\S*)/.exec(mails[0]?.text ?? '')?.[1]
  }, `a mail for ${to}`)
}

test('an answer appears by itself in two tabs, counts as unread while the panel is closed, and is read once for both', async () => {
  const user = await stage.person()
  const { context, page, problems } = await visit(browser, DESKTOP, user.token)
  await openPanel(page, '/api')
  await begin(page, '两个标签页')
  const id = await newest()
  const second = await context.newPage()
  await openPanel(second, '/api')
  await panel(second).getByRole('button').filter({ hasText: '两个标签页' }).click()
  await panel(second).getByRole('log').waitFor()
  await page.bringToFront()
  await operate(server, id, 'answer', '看到了吗')
  await panel(page).getByText('看到了吗').waitFor()
  await panel(second).getByText('看到了吗').waitFor()
  await field(page).fill('看到了')
  await field(page).press('Enter')
  await panel(second).getByText('看到了', { exact: true }).waitFor()
  await operate(server, id, 'close')
  await panel(page).getByRole('img', { name: t['stamp_closed'] }).waitFor()
  expect(await words(page)).toEqual(await words(second))
  // closed, then answered while the panel is shut: the launcher counts it
  await panel(second).getByRole('button', { name: t['close'] }).click()
  await panel(page).getByRole('button', { name: t['close'] }).click()
  await operate(server, id, 'answer', '补充一点')
  await page.reload()
  await page.getByRole('button', { name: fill(shellTexts.zh.supportUnread, { count: 1 }), exact: true }).click()
  await panel(page).getByText('补充一点').waitFor()
  await panel(page).getByRole('button', { name: t['close'] }).click()
  await page.getByRole('button', { name: shellTexts.zh.support, exact: true }).waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test('written offline: it waits, outlives a reload, and arrives once and in order', async () => {
  const user = await stage.person()
  const { context, page } = await visit(browser, PHONE, user.token)
  await openPanel(page, '/api')
  await begin(page, '第一条')
  const id = await newest()
  await context.setOffline(true)
  for (const text of ['第二条', '第三条']) {
    await field(page).fill(text)
    await panel(page).getByRole('button', { name: t['composer_send'], exact: true }).click()
  }
  await panel(page).getByText(t['unsent']).first().waitFor()
  await panel(page).getByText(t['offline']).waitFor()
  expect(await words(page)).toEqual(['第一条', '第二条', '第三条'])
  expect(await stage.db.query('select count(*)::int as n from support_messages where conversation_id = $1', [id])).toEqual([{ n: 1 }])
  await context.setOffline(false)
  await page.reload()
  await expect
    .poll(async () =>
      (await stage.db.query<{ text: string }>('select text from support_messages where conversation_id = $1 order by seq', [id])).map(({ text }) => text),
    )
    .toEqual(['第一条', '第二条', '第三条'])
  await launcher(page).click()
  await panel(page).getByRole('button').filter({ hasText: '第三条' }).click()
  await panel(page).getByText(t['sent'], { exact: false }).waitFor()
  expect(await words(page)).toEqual(['第一条', '第二条', '第三条'])
  await context.close()
})

test('a reply that gets lost makes no second message, and a second press while sending no second conversation', async () => {
  const user = await stage.person()
  const { context, page } = await visit(browser, DESKTOP, user.token)
  let lost = 0
  for (const call of ['start', 'send'])
    await page.route(`**/common/support/${call}`, async (route) => {
      await route.fetch().catch(() => undefined)
      if (lost++ % 2 === 0) return route.abort()
      return route.continue()
    })
  await openPanel(page, '/api')
  await field(page).fill('只开始一次')
  const submit = panel(page).getByRole('button', { name: t['start'], exact: true })
  await submit.dblclick()
  await panel(page).locator('[aria-live] .text-danger').waitFor()
  await submit.click()
  await panel(page).getByRole('log').waitFor()
  await field(page).fill('只说一次')
  await field(page).press('Enter')
  await expect
    .poll(() =>
      stage.db.query(`select count(*)::int as n from support_messages m join support_conversations c on c.id = m.conversation_id where c.user_id = $1`, [
        user.userId,
      ]),
    )
    .toEqual([{ n: 2 }])
  await panel(page).getByText(t['sent'], { exact: false }).waitFor()
  expect(await words(page)).toEqual(['只开始一次', '只说一次'])
  await context.close()
})

test('no payload runs in the thread, the list, the launcher, the mails or the operator’s page', async () => {
  const user = await stage.person()
  await stage.db.query(
    `insert into settings (key, value, updated_by) values ('support.messagesPerMinute', '100000', 'test') on conflict (key) do update set value = excluded.value`,
  )
  const { context, page, problems } = await visit(browser, DESKTOP, user.token)
  await context.addInitScript('window.ran = []; window.alert = () => window.ran.push(1); window.print = () => window.ran.push(2)')
  const ran = (on: Page) => on.evaluate('window.ran')
  await openPanel(page, '/api')
  await begin(page, XSS[0]!)
  const id = await newest()
  const call = (text: string) =>
    fetch(`${server.baseUrl}/common/support/send`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accesstoken': user.token },
      body: JSON.stringify({ conversationId: id, clientId: crypto.randomUUID(), text }),
    })
  for (const text of XSS.slice(1)) expect((await call(text)).status).toBe(200)
  for (const text of XSS.slice(0, 40)) await operate(server, id, 'answer', text)
  await expect.poll(async () => (await words(page)).length).toBe(XSS.length + 40)
  expect(await words(page)).toEqual([...XSS, ...XSS.slice(0, 40)].map((text) => text.trim()))
  const hrefs = await page.evaluate<string[]>(`[...document.querySelectorAll('.support-panel [role="log"] a')].map((link) => link.protocol)`)
  expect(hrefs.length).toBeGreaterThan(0)
  expect(hrefs.every((protocol) => protocol === 'https:' || protocol === 'http:')).toBe(true)
  expect(await ran(page)).toEqual([])
  await panel(page).getByRole('button', { name: t['back'] }).click()
  await panel(page).getByRole('listitem').first().waitFor()
  expect(await ran(page)).toEqual([])
  for (const path of [`/sandbox/support/${id}`, '/sandbox?panel=support-conversations&live=0']) {
    const seat = await context.newPage()
    await seat.goto(`${server.baseUrl}${path}`)
    expect(await ran(seat)).toEqual([])
    await seat.close()
  }
  expect(problems).toEqual([])
  await context.close()
})

test('by keyboard alone: open, write, send, back, Esc; focus goes where it came from', async () => {
  const user = await stage.person()
  const { context, page } = await visit(browser, DESKTOP, user.token)
  await page.goto(`${server.baseUrl}/api`)
  await launcher(page).waitFor()
  await launcher(page).focus()
  await page.keyboard.press('Enter')
  await panel(page).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('TEXTAREA')
  await page.keyboard.type('键盘提问')
  await page.keyboard.press('Tab')
  while (!(await page.evaluate(`document.activeElement?.type === 'submit'`))) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await panel(page).getByRole('log').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('TEXTAREA')
  await page.keyboard.type('一行')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('两行')
  await page.keyboard.press('Enter')
  await expect.poll(() => words(page)).toEqual(['键盘提问', '一行\n两行'])
  await page.keyboard.press('Escape')
  await panel(page).waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate('document.activeElement?.innerText')).toBe(shellTexts.zh.support)
  await context.close()
})

test('above an open dialog, and gone with the session: the next person sees nothing of it', async () => {
  const user = await stage.person()
  const { context, page } = await visit(browser, DESKTOP, user.token)
  await openPanel(page, '/api')
  await begin(page, 'SECRET-OF-ONE')
  await panel(page).getByRole('button', { name: t['close'] }).click()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').first().waitFor()
  await page.evaluate(`location.hash = '#support'`)
  await panel(page).waitFor()
  await panel(page)
    .getByRole('button', { name: t['back'] })
    .click()
    .catch(() => undefined)
  await page.getByText('SECRET-OF-ONE').first().waitFor()

  await signOutElsewhere(page)
  await panel(page).waitFor({ state: 'detached' })
  expect(await page.evaluate(`Object.keys(localStorage).filter((name) => name.startsWith('mx.support'))`)).toEqual([])
  expect(await page.content()).not.toContain('SECRET-OF-ONE')
  await context.close()
})

describe.each(LOOKS)('$width $lang $theme', (look) => {
  const own = supportTexts[look.lang]
  const { width, lang, theme } = look

  test('every state is readable, fits, and axe finds nothing', async () => {
    await stage.db.query('delete from risk_counters')
    const user = await stage.person()
    const { context, page, problems } = await visit(browser, look, user.token)
    const seen = async (name: string) => {
      await page.waitForTimeout(250)
      await page.screenshot({ path: `${SHOTS}/support-${name}-${width}-${lang}-${theme}.png` })
      expect([name, await axe(page)]).toEqual([name, []])
      expect([name, await overflow(page)]).toEqual([name, 0])
      expect([
        name,
        await page.evaluate(`[...document.querySelectorAll('.support-panel, .support-panel [role="log"]')].some((box) => box.scrollWidth > box.clientWidth)`),
      ]).toEqual([name, false])
    }
    await page.goto(`${server.baseUrl}/api${lang === 'en' ? '?pseudo=1' : ''}`)
    await launcher(page).waitFor()
    await seen('launcher')
    await launcher(page).click()
    await field(page).waitFor()
    await seen('form')
    await panel(page).locator('button[type="submit"]').click()
    await seen('form-errors')
    await field(page).fill('x'.repeat(4001))
    await seen('form-over')
    await field(page).fill('余额不对 W'.repeat(20))
    await panel(page).locator('button[type="submit"]').click()
    await panel(page).getByRole('log').waitFor()
    const id = await newest(`user_id = '${user.userId}'`)
    await operate(server, id, 'answer', `https://mingxi.example/${'long'.repeat(60)}\nمرحبا 👩‍🚀 ${'W'.repeat(120)}`)
    await panel(page).getByText('مرحبا').waitFor()
    await seen('thread')
    await context.setOffline(true)
    await field(page).fill('offline')
    await panel(page).locator('button[type="submit"]').click()
    await panel(page).locator('.text-danger').first().waitFor()
    await seen('offline')
    await context.setOffline(false)
    await panel(page).getByText(own['sent'], { exact: false }).waitFor()
    await operate(server, id, 'close')
    await panel(page).locator('.support-stamp').waitFor()
    await seen('closed')
    await panel(page).locator('.support-head button').first().click()
    await panel(page).locator('h3').waitFor()
    await seen('home')
    if (width === 414) {
      const box = (await panel(page).boundingBox())!
      expect([box.x, box.width]).toEqual([0, 414])
      const small = await page.evaluate(
        `[...document.querySelectorAll('.support-panel button')].filter((one) => one.offsetWidth < 40 || one.offsetHeight < 40).length`,
      )
      expect(small).toBe(0)
    }
    expect(problems.filter((problem) => !problem.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
    expect(own['title']).toBeTruthy()
    await context.close()
  })
})
