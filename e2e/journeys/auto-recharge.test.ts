import { mkdirSync } from 'node:fs'
import { beforeAll, expect, onTestFailed, test } from 'vitest'
import { fill } from '#platform/shared/texts.ts'
import { connect } from '#platform/server/database/db.ts'
import { pickLook, openBrowser } from '#platform/testing/browser.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { autoTexts } from '#features/payments/texts-auto.ts'
import { aBrowserPayer, createPageCheck, takeScreenshot } from './pay-visit.ts'

// Auto recharge from the card on the balance page: agreed to, signed at the channel, charged, stopped and revoked, declined until it is
// turned off, and authorized again.
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])
beforeAll(() => void mkdirSync('e2e/.shots', { recursive: true }))

test.each(pickLook())('$width $lang $theme: off, agreed to, charged, stopped, taken back, refused', async (look) => {
  const t = autoTexts[look.lang]
  const payer = await aBrowserPayer(browser, server, look)
  const { page, context, problems } = payer
  const seen = createPageCheck(page, look)
  onTestFailed(() => takeScreenshot(page, `auto-failed-${look.width}`).then(() => undefined))
  const card = page.locator('#auto-recharge')
  // Excludes the toast, which is a dialog as well.
  const dialog = page.getByRole('dialog').filter({ has: page.locator('form') })
  const button = (name: string) => card.getByRole('button', { name, exact: true })
  const says = (text: string) => card.getByText(text, { exact: true }).first().waitFor()

  await page.goto(`${server.baseUrl}/api?tab=view#auto-recharge`)
  await says(t['auto_state_off'])
  await expect.poll(async () => ((await card.boundingBox())?.y ?? Infinity) < (page.viewportSize()?.height ?? 0)).toBe(true)
  await seen('auto-off')
  await button(t['auto_setup']).click()
  const agree = dialog.getByRole('checkbox', { name: t['auto_agree'], exact: true })
  expect(await agree.isChecked()).toBe(false)
  const submit = dialog.locator('button[type="submit"]')
  await dialog.getByLabel(t['auto_field_day'], { exact: true }).fill('9')
  await submit.click()
  await dialog.getByText(t['auto_agree_missing'], { exact: true }).waitFor()
  await dialog.getByText(fill(t['auto_field_bad'], { min: '10.35', max: '500' }), { exact: true }).waitFor()
  await seen('auto-form-problems')
  await dialog.getByLabel(t['auto_field_day'], { exact: true }).fill('35')
  await agree.check()
  await seen('auto-form')
  await submit.click()
  await page.waitForURL('**/sandbox/agree/*')
  await takeScreenshot(page, `auto-consent-${look.width}-${look.lang}`)
  await page.locator('button[value="agreeSilently"]').click()
  await page.waitForURL('**/api?**')
  await says(t['auto_state_active'])
  await says(t['auto_charge_paid'])
  await card.getByText('$10.35', { exact: true }).first().waitFor()
  await seen('auto-active')

  await button(t['auto_stop']).click()
  await says(t['auto_state_stopped'])
  await seen('auto-stopped')
  await button(t['auto_undo']).click()
  await says(t['auto_state_active'])

  await button(t['auto_change']).click()
  await dialog.getByLabel(t['auto_field_amount'], { exact: true }).fill('20.41')
  await dialog.getByLabel(t['auto_field_threshold'], { exact: true }).fill('50')
  await agree.check()
  await submit.click()
  await dialog.waitFor({ state: 'hidden' })
  await says(t['auto_charge_refused'])
  await says(t['auto_state_paused'])
  await seen('auto-paused')
  // Ends the waits after refusals at once: three in a row turn auto recharge off.
  const db = connect(server.databaseUrl, { max: 1 })
  await expect
    .poll(async () => {
      await db.query(`update payments_auto_plans set cool_until = '-infinity' where user_id = $1`, [payer.userId])
      await db.query(`update payments_auto_sums set charges = 0 where user_id = $1`, [payer.userId])
      return (await db.query<{ state: string }>('select state from payments_auto_plans where user_id = $1', [payer.userId]))[0]!.state
    })
    .toBe('attention')
  await db.close()
  await page.reload()
  await says(t['auto_attention_declined'])
  await seen('auto-attention')
  await button(t['auto_again']).click()
  await dialog.getByLabel(t['auto_field_amount'], { exact: true }).waitFor()
  expect(await agree.isChecked()).toBe(false)
  await agree.check()
  await submit.click()
  await page.waitForURL('**/sandbox/agree/*')
  await page.locator('button[value="refuse"]').click()
  await page.waitForURL('**/api?**')
  await says(t['auto_state_off'])
  expect(problems).toEqual([])
  await context.close()
})
