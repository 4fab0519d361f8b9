import { expect, onTestFailed, test } from 'vitest'
import { connect } from '#platform/server/database/db.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { runAxe, rotateLooks, openBrowser, measureOverflow } from '#platform/testing/browser.ts'
import type { PageLook } from '#platform/testing/browser.ts'
import { mockContract } from '#platform/testing/page-mock.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { historyContract } from '#features/account/contract-history.ts'
import { gatewayTexts } from '#features/gateway/texts.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { seedSession as holdSession } from '../signed-in.ts'
import { callPlatform, registerByHttp } from '../visitor.ts'
import { openAccountVisit } from './account-visit.ts'
import type { AccountVisit } from './account-visit.ts'

// An old session must authenticate again before it creates a key or a webhook, and the security page lists these events.
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])

const LOOKS: readonly PageLook[] = [
  { width: 1440, lang: 'zh', theme: 'light' },
  { width: 414, lang: 'en', theme: 'dark' },
]
const AGENTS = {
  phone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Mobile Safari/604.1',
  desk: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0',
}

async function checkDialog({ page, look }: AccountVisit, name: string): Promise<void> {
  await page.screenshot({ path: `e2e/.shots/${name}-${look.width}-${look.lang}-${look.theme}.png`, fullPage: true })
  expect([name, await runAxe(page)]).toEqual([name, []])
  expect([name, await measureOverflow(page)]).toEqual([name, 0])
}

/** A user with money whose sign-in was 11 minutes ago. */
async function aFundedMember() {
  const user = await registerByHttp(server)
  const { id } = (await callPlatform(server, 'GET', { path: '/user/info', headers: { accesstoken: user.token } })).data as { id: string }
  const db = connect(server.databaseUrl, { max: 2 })
  await aFundedUser(db, { userId: id, purchased: 100_000_000_000n })
  const stale = () => db.query(`update account_sessions set proven_at = now() - interval '11 minutes' where user_id = $1`, [id])
  await stale()
  return { ...user, id, db, stale }
}

async function openSecurityPage(look: PageLook, token: string, path: string): Promise<AccountVisit> {
  const v = await openAccountVisit(browser, look)
  onTestFailed(async () => {
    await v.page.screenshot({ path: `e2e/.shots/failed-security-${look.width}-${look.lang}.png` }).catch(() => {})
  })
  await holdSession(v.context, token)
  await v.page.goto(`${server.baseUrl}${path}`)
  return v
}

test.each(rotateLooks(LOOKS))('a key and a webhook are made after a proof, without pressing twice: $lang at $width', async (look) => {
  const user = await aFundedMember()
  const v = await openSecurityPage(look, user.token, '/api?tab=view')
  const { page, s } = v
  const g = gatewayTexts[look.lang]
  // the region's own button, because content below moves while data loads
  await page.getByRole('region', { name: g.checklistTitle }).getByRole('button', { name: g.createKey, exact: true }).click()
  await page.getByLabel(g.keyNameLabel).fill('made after a proof')
  await page.getByRole('button', { name: g.create, exact: true }).click()
  const proof = page.getByRole('dialog', { name: s.step_title })
  await proof.waitFor()
  const password = proof.locator('input[type=password]')
  if (look.width === 1440) await expect.poll(() => page.evaluate(`document.activeElement?.getAttribute('type')`)).toBe('password')
  await checkDialog(v, 'step-up-key')
  // after the dialog is closed, no key exists and the input stays
  await page.keyboard.press('Escape')
  await proof.waitFor({ state: 'hidden' })
  expect(await page.getByLabel(g.keyNameLabel).inputValue()).toBe('made after a proof')
  expect(await user.db.query('select 1 from gateway_keys where user_id = $1', [user.id])).toEqual([])
  await page.getByRole('button', { name: g.create, exact: true }).click()
  await password.fill(user.password)
  await page.keyboard.press('Enter')
  await page
    .getByText(/^sk-[0-9A-Za-z]{48}$/)
    .first()
    .waitFor()
  expect(await user.db.query('select name from gateway_keys where user_id = $1', [user.id])).toEqual([{ name: 'made after a proof' }])
  await page.getByRole('button', { name: g.keySaved, exact: true }).click()
  await user.stale()
  await page.getByLabel(g.alertHook).fill('https://hooks.example.com/in')
  await page
    .locator('form')
    .filter({ has: page.getByLabel(g.alertHook) })
    .getByRole('button', { name: g.save, exact: true })
    .click()
  await password.fill(user.password)
  await page.keyboard.press('Enter')
  await page.getByText(/^whsec_/).waitFor()
  await v.context.close()
  await user.db.close()
})

/** Fills in a few weeks of an account's history. */
async function insertHistory({ id, db, email }: Awaited<ReturnType<typeof aFundedMember>>): Promise<void> {
  const user = { kind: 'user', id } as const
  const rows: readonly (readonly [typeof user | typeof SYSTEM, string, string, Record<string, unknown>])[] = [
    [user, 'account.login', `user:${id}`, { by: 'code', ip: '198.51.100.23', userAgent: AGENTS.phone }],
    [user, 'account.mobile-changed', `user:${id}`, { ip: '198.51.100.23' }],
    [user, 'account.pay-password-set', `user:${id}`, { ip: '198.51.100.23' }],
    [user, 'account.pay-password-wrong', `user:${id}`, { tries: 1 }],
    [user, 'key.created', 'key:k1', { keyName: '生产环境 production-with-a-rather-long-name-of-its-own', ip: '203.0.113.7' }],
    [user, 'key.limited', 'key:k1', { keyName: '生产环境', ip: '203.0.113.7' }],
    [user, 'alerts.changed', `user:${id}`, { webhookHost: 'hooks.example.com', ip: '203.0.113.7' }],
    [SYSTEM, 'account.frozen', `user:${id}`, {}],
    [SYSTEM, 'account.thawed', `user:${id}`, {}],
    [user, 'account.sessions-ended', `user:${id}`, { ended: 3, ip: '2001:db8:1:2::3' }],
    [user, 'account.exported', `user:${id}`, { ip: '203.0.113.7' }],
  ]
  for (const [actor, action, target, data] of rows) await transact(db, actor, (tx) => tx.audit(action, target, data))
  for (let n = 0; n < 30; n++)
    await transact(db, user, (tx) => tx.audit('account.login', `user:${id}`, { by: 'password', ip: '203.0.113.7', userAgent: AGENTS.desk }))
  await callPlatform(server, 'POST', { path: '/user/passwordLogin', input: { email, password: 'not it' }, headers: { 'user-agent': AGENTS.desk } })
}

test.each(rotateLooks(LOOKS))('the security history: groups, pages, and its three states: $lang at $width', async (look) => {
  const user = await aFundedMember()
  await insertHistory(user)
  const v = await openSecurityPage(look, user.token, '/account?section=history')
  const { page, s } = v
  const lines = page.locator('main li').filter({ has: page.locator('time') })
  await expect.poll(() => lines.count()).toBe(20)
  await checkDialog(v, 'history')
  for (const least of [40, 41]) {
    await page.mouse.wheel(0, 20_000)
    await expect.poll(() => lines.count()).toBeGreaterThanOrEqual(least)
  }
  expect(await page.getByText(s.his_registered).count()).toBe(1)
  await page.getByRole('button', { name: s.his_group_security, exact: true }).click()
  await page.getByText(s.his_frozen, { exact: true }).waitFor()
  await checkDialog(v, 'history-security')
  await page.getByRole('button', { name: s.his_group_access, exact: true }).click()
  await page.getByText('hooks.example.com').waitFor()
  await checkDialog(v, 'history-access')
  await user.db.close()
  expect(v.problems).toEqual([])

  let answer = () => {}
  const held = new Promise<void>((done) => {
    answer = done
  })
  await mockContract(page, historyContract, {
    securityHistory: async () => {
      await held
      return { rowList: [], next: null }
    },
  })
  await page.reload()
  await page.getByRole('heading', { name: s.acc_history }).waitFor()
  await checkDialog(v, 'history-loading')
  answer()
  await page.getByText(s.his_empty, { exact: true }).waitFor()
  await checkDialog(v, 'history-empty')
  await page.unrouteAll()
  await mockContract(page, historyContract, { securityHistory: { refuse: 'It did not work' } })
  await page.reload()
  await page.getByRole('alert').waitFor()
  await checkDialog(v, 'history-error')
  await v.context.close()
})
