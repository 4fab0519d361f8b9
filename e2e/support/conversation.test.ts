import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { shellTexts } from '#apps/web/texts.ts'
import { fill } from '#platform/shared/texts.ts'
import { runAxe, RUN_LOOKS, openBrowser, measureOverflow } from '#platform/testing/browser.ts'
import { reserveFreePort } from '#platform/testing/launch.ts'
import { startTestServer } from '#platform/testing/server.ts'
import type { TestServer } from '#platform/testing/server.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { supportPageTexts } from '#features/support/texts.ts'
import {
  SUPPORT_DESKTOP,
  locateMessageField,
  locateSupportLauncher,
  openSupportStage,
  operateConversation,
  locateSupportPanel,
  SUPPORT_PHONE,
  signOutElsewhere,
  openSupportVisit,
  readMessageTexts,
} from './stage.ts'
import { XSS } from '#platform/testing/xss.ts'

const SHOTS = 'e2e/.shots'
const t = supportPageTexts.zh
const browser = await openBrowser()
let server: TestServer
let stage: ReturnType<typeof openSupportStage>

beforeAll(async () => {
  mkdirSync(SHOTS, { recursive: true })
  server = await startTestServer({ env: { SANDBOX_CHUNK_MS: '0', PORT: String(await reserveFreePort()) } })
  stage = openSupportStage(server)
  await stage.db.query(
    `insert into settings (key, value, updated_by) values ('support.awaySeconds', '10', 'test'), ('support.operatorMailSeconds', '0', 'test')`,
  )
})
beforeEach(() => stage.db.query('delete from risk_counters'))
afterAll(async () => {
  await stage.close()
  await server.stop()
})

const selectNewest = async (where = 'true') =>
  (await stage.db.query<{ id: string }>(`select id from support_conversations where ${where} order by created_at desc limit 1`))[0]!.id
const openPanel = async (page: Page, path: string) => {
  await page.goto(`${server.baseUrl}${path}`)
  await locateSupportLauncher(page).click()
  await locateSupportPanel(page).waitFor()
}
const begin = async (page: Page, text: string, email?: string) => {
  if (email) await locateSupportPanel(page).locator('input[type="email"]').fill(email)
  await locateMessageField(page).fill(text)
  await locateSupportPanel(page).getByRole('button', { name: t['start'], exact: true }).click()
  await locateSupportPanel(page).getByRole('log').waitFor()
}

test('a visitor writes, leaves, comes back by reload and by the mailed link, and reads the answer', async () => {
  const { context, page, problems } = await openSupportVisit(browser, SUPPORT_DESKTOP)
  await openPanel(page, '/')
  await locateSupportPanel(page).getByRole('button', { name: t['start'], exact: true }).click()
  await locateSupportPanel(page).getByText(t['email_required']).waitFor()
  await locateSupportPanel(page).getByText(t['question_required']).waitFor()
  expect(await page.evaluate(`document.activeElement?.getAttribute('type')`)).toBe('email')
  await locateSupportPanel(page).locator('input[type="email"]').fill('不是邮箱')
  await locateSupportPanel(page).getByRole('button', { name: t['start'], exact: true }).click()
  await locateSupportPanel(page).getByText(t['email_invalid']).waitFor()
  await begin(page, '充值 20 美元没到账', 'visitor-link@example.com')
  expect(await readMessageTexts(page)).toEqual(['充值 20 美元没到账'])
  await locateSupportPanel(page).getByText('visitor-link@example.com').waitFor()
  const id = await selectNewest(`visitor_email = 'visitor-link@example.com'`)
  await page.reload()
  await operateConversation(server, id, { what: 'answer', text: '已为您补上' })
  await locateSupportLauncher(page).click()
  await locateSupportPanel(page).getByText('已为您补上').waitFor()
  await context.close()

  // a second reply, while the visitor is away, is mailed with a link back
  await operateConversation(server, id, { what: 'answer', text: '请查收' })
  const link = await fetchMailedLink('visitor-link@example.com')
  expect(new URL(link).search).toBe('')
  const other = await openSupportVisit(browser, SUPPORT_PHONE)
  await other.page.goto(link)
  await locateSupportPanel(other.page).waitFor()
  await locateSupportPanel(other.page).getByText('请查收').waitFor()
  expect(await readMessageTexts(other.page)).toEqual(['充值 20 美元没到账', '已为您补上', '请查收'])
  expect(other.page.url()).not.toContain('vis_')
  await locateMessageField(other.page).fill('收到了')
  await locateSupportPanel(other.page).getByRole('button', { name: t['composer_send'], exact: true }).click()
  await locateSupportPanel(other.page).getByText(t['sent'], { exact: false }).last().waitFor()
  expect(await stage.db.query('select text from support_messages where conversation_id = $1 order by seq desc limit 1', [id])).toEqual([{ text: '收到了' }])
  await other.context.close()
  expect([...problems, ...other.problems]).toEqual([])
})

async function fetchMailedLink(to: string): Promise<string> {
  return waitForValue(async () => {
    const mails = (await (await fetch(`${server.baseUrl}/sandbox/mails?to=${encodeURIComponent(to)}`)).json()) as { text: string }[]
    return /(http\S+#support\S*)/.exec(mails[0]?.text ?? '')?.[1]
  }, `a mail for ${to}`)
}

test('an answer appears by itself in two tabs, counts as unread while the panel is closed, and is read once for both', async () => {
  const user = await stage.person()
  const { context, page, problems } = await openSupportVisit(browser, SUPPORT_DESKTOP, user.token)
  await openPanel(page, '/api')
  await begin(page, '两个标签页')
  const id = await selectNewest()
  const second = await context.newPage()
  await openPanel(second, '/api')
  await locateSupportPanel(second).getByRole('button').filter({ hasText: '两个标签页' }).click()
  await locateSupportPanel(second).getByRole('log').waitFor()
  await page.bringToFront()
  await operateConversation(server, id, { what: 'answer', text: '看到了吗' })
  await locateSupportPanel(page).getByText('看到了吗').waitFor()
  await locateSupportPanel(second).getByText('看到了吗').waitFor()
  await locateMessageField(page).fill('看到了')
  await locateMessageField(page).press('Enter')
  await locateSupportPanel(second).getByText('看到了', { exact: true }).waitFor()
  await operateConversation(server, id, { what: 'close' })
  await locateSupportPanel(page).getByRole('img', { name: t['stamp_closed'] }).waitFor()
  expect(await readMessageTexts(page)).toEqual(await readMessageTexts(second))
  // closed, then a reply arrives while the panel is shut: the launcher counts it
  await locateSupportPanel(second).getByRole('button', { name: t['close'] }).click()
  await locateSupportPanel(page).getByRole('button', { name: t['close'] }).click()
  await operateConversation(server, id, { what: 'answer', text: '补充一点' })
  await page.reload()
  await page.getByRole('button', { name: fill(shellTexts.zh.supportUnread, { count: 1 }), exact: true }).click()
  await locateSupportPanel(page).getByText('补充一点').waitFor()
  await locateSupportPanel(page).getByRole('button', { name: t['close'] }).click()
  await page.getByRole('button', { name: shellTexts.zh.support, exact: true }).waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test('written offline: it waits, outlives a reload, and arrives once and in order', async () => {
  const user = await stage.person()
  const { context, page } = await openSupportVisit(browser, SUPPORT_PHONE, user.token)
  await openPanel(page, '/api')
  await begin(page, '第一条')
  const id = await selectNewest()
  await context.setOffline(true)
  for (const text of ['第二条', '第三条']) {
    await locateMessageField(page).fill(text)
    await locateSupportPanel(page).getByRole('button', { name: t['composer_send'], exact: true }).click()
  }
  await locateSupportPanel(page).getByText(t['unsent']).first().waitFor()
  await locateSupportPanel(page).getByText(t['offline']).waitFor()
  expect(await readMessageTexts(page)).toEqual(['第一条', '第二条', '第三条'])
  expect(await stage.db.query('select count(*)::int as n from support_messages where conversation_id = $1', [id])).toEqual([{ n: 1 }])
  await context.setOffline(false)
  await page.reload()
  await expect
    .poll(async () =>
      (await stage.db.query<{ text: string }>('select text from support_messages where conversation_id = $1 order by seq', [id])).map(({ text }) => text),
    )
    .toEqual(['第一条', '第二条', '第三条'])
  await locateSupportLauncher(page).click()
  await locateSupportPanel(page).getByRole('button').filter({ hasText: '第三条' }).click()
  await locateSupportPanel(page).getByText(t['sent'], { exact: false }).waitFor()
  expect(await readMessageTexts(page)).toEqual(['第一条', '第二条', '第三条'])
  await context.close()
})

test('a reply that gets lost makes no second message, and a second press while sending no second conversation', async () => {
  const user = await stage.person()
  const { context, page } = await openSupportVisit(browser, SUPPORT_DESKTOP, user.token)
  let lost = 0
  for (const call of ['start', 'send'])
    await page.route(`**/common/support/${call}`, async (route) => {
      await route.fetch().catch(() => undefined)
      if (lost++ % 2 === 0) return route.abort()
      return route.continue()
    })
  await openPanel(page, '/api')
  await locateMessageField(page).fill('只开始一次')
  const submit = locateSupportPanel(page).getByRole('button', { name: t['start'], exact: true })
  await submit.dblclick()
  await locateSupportPanel(page).locator('[aria-live] .text-danger').waitFor()
  await submit.click()
  await locateSupportPanel(page).getByRole('log').waitFor()
  await locateMessageField(page).fill('只说一次')
  await locateMessageField(page).press('Enter')
  await expect
    .poll(() =>
      stage.db.query(`select count(*)::int as n from support_messages m join support_conversations c on c.id = m.conversation_id where c.user_id = $1`, [
        user.userId,
      ]),
    )
    .toEqual([{ n: 2 }])
  await locateSupportPanel(page).getByText(t['sent'], { exact: false }).waitFor()
  expect(await readMessageTexts(page)).toEqual(['只开始一次', '只说一次'])
  await context.close()
})

test('no payload runs in the thread, the list, the launcher, the mails or the operator’s page', async () => {
  const user = await stage.person()
  await stage.db.query(
    `insert into settings (key, value, updated_by) values ('support.messagesPerMinute', '100000', 'test') on conflict (key) do update set value = excluded.value`,
  )
  const { context, page, problems } = await openSupportVisit(browser, SUPPORT_DESKTOP, user.token)
  await context.addInitScript('window.ran = []; window.alert = () => window.ran.push(1); window.print = () => window.ran.push(2)')
  const ran = (on: Page) => on.evaluate('window.ran')
  await openPanel(page, '/api')
  await begin(page, XSS[0]!)
  const id = await selectNewest()
  const call = (text: string) =>
    fetch(`${server.baseUrl}/common/support/send`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accesstoken': user.token },
      body: JSON.stringify({ conversationId: id, clientId: crypto.randomUUID(), text }),
    })
  for (const text of XSS.slice(1)) expect((await call(text)).status).toBe(200)
  for (const text of XSS.slice(0, 40)) await operateConversation(server, id, { what: 'answer', text })
  await expect.poll(async () => (await readMessageTexts(page)).length).toBe(XSS.length + 40)
  expect(await readMessageTexts(page)).toEqual([...XSS, ...XSS.slice(0, 40)].map((text) => text.trim()))
  const hrefs = await page.evaluate<string[]>(`[...document.querySelectorAll('.support-panel [role="log"] a')].map((link) => link.protocol)`)
  expect(hrefs.length).toBeGreaterThan(0)
  expect(hrefs.every((protocol) => protocol === 'https:' || protocol === 'http:')).toBe(true)
  expect(await ran(page)).toEqual([])
  await locateSupportPanel(page).getByRole('button', { name: t['back'] }).click()
  await locateSupportPanel(page).getByRole('listitem').first().waitFor()
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
  const { context, page } = await openSupportVisit(browser, SUPPORT_DESKTOP, user.token)
  await page.goto(`${server.baseUrl}/api`)
  await locateSupportLauncher(page).waitFor()
  await locateSupportLauncher(page).focus()
  await page.keyboard.press('Enter')
  await locateSupportPanel(page).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('TEXTAREA')
  await page.keyboard.type('键盘提问')
  await page.keyboard.press('Tab')
  while (!(await page.evaluate(`document.activeElement?.type === 'submit'`))) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await locateSupportPanel(page).getByRole('log').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('TEXTAREA')
  await page.keyboard.type('一行')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('两行')
  await page.keyboard.press('Enter')
  await expect.poll(() => readMessageTexts(page)).toEqual(['键盘提问', '一行\n两行'])
  await page.keyboard.press('Escape')
  await locateSupportPanel(page).waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate('document.activeElement?.innerText')).toBe(shellTexts.zh.support)
  await context.close()
})

test('above an open dialog, and gone with the session: the next person sees nothing of it', async () => {
  const user = await stage.person()
  const { context, page } = await openSupportVisit(browser, SUPPORT_DESKTOP, user.token)
  await openPanel(page, '/api')
  await begin(page, 'SECRET-OF-ONE')
  await locateSupportPanel(page).getByRole('button', { name: t['close'] }).click()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').first().waitFor()
  await page.evaluate(`location.hash = '#support'`)
  await locateSupportPanel(page).waitFor()
  await locateSupportPanel(page)
    .getByRole('button', { name: t['back'] })
    .click()
    .catch(() => undefined)
  await page.getByText('SECRET-OF-ONE').first().waitFor()

  await signOutElsewhere(page)
  await locateSupportPanel(page).waitFor({ state: 'detached' })
  expect(await page.evaluate(`Object.keys(localStorage).filter((name) => name.startsWith('mx.support'))`)).toEqual([])
  expect(await page.content()).not.toContain('SECRET-OF-ONE')
  await context.close()
})

describe.each(RUN_LOOKS)('$width $lang $theme', (look) => {
  const own = supportPageTexts[look.lang]
  const { width, lang, theme } = look

  test('every state is readable, fits, and axe finds nothing', async () => {
    await stage.db.query('delete from risk_counters')
    const user = await stage.person()
    const { context, page, problems } = await openSupportVisit(browser, look, user.token)
    const seen = async (name: string) => {
      await page.waitForTimeout(250)
      await page.screenshot({ path: `${SHOTS}/support-${name}-${width}-${lang}-${theme}.png` })
      expect([name, await runAxe(page)]).toEqual([name, []])
      expect([name, await measureOverflow(page)]).toEqual([name, 0])
      expect([
        name,
        await page.evaluate(`[...document.querySelectorAll('.support-panel, .support-panel [role="log"]')].some((box) => box.scrollWidth > box.clientWidth)`),
      ]).toEqual([name, false])
    }
    await page.goto(`${server.baseUrl}/api${lang === 'en' ? '?pseudo=1' : ''}`)
    await locateSupportLauncher(page).waitFor()
    await seen('launcher')
    await locateSupportLauncher(page).click()
    await locateMessageField(page).waitFor()
    await seen('form')
    await locateSupportPanel(page).locator('button[type="submit"]').click()
    await seen('form-errors')
    await locateMessageField(page).fill('x'.repeat(4001))
    await seen('form-over')
    await locateMessageField(page).fill('余额不对 W'.repeat(20))
    await locateSupportPanel(page).locator('button[type="submit"]').click()
    await locateSupportPanel(page).getByRole('log').waitFor()
    const id = await selectNewest(`user_id = '${user.userId}'`)
    await operateConversation(server, id, { what: 'answer', text: `https://mingxi.example/${'long'.repeat(60)}\nمرحبا 👩‍🚀 ${'W'.repeat(120)}` })
    await locateSupportPanel(page).getByText('مرحبا').waitFor()
    await seen('thread')
    await context.setOffline(true)
    await locateMessageField(page).fill('offline')
    await locateSupportPanel(page).locator('button[type="submit"]').click()
    await locateSupportPanel(page).locator('.text-danger').first().waitFor()
    await seen('offline')
    await context.setOffline(false)
    await locateSupportPanel(page).getByText(own['sent'], { exact: false }).waitFor()
    await operateConversation(server, id, { what: 'close' })
    await locateSupportPanel(page).locator('.support-stamp').waitFor()
    await seen('closed')
    await locateSupportPanel(page).locator('.support-head button').first().click()
    await locateSupportPanel(page).locator('h3').waitFor()
    await seen('home')
    if (width === 414) {
      const box = (await locateSupportPanel(page).boundingBox())!
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
