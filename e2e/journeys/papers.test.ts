import { mkdirSync } from 'node:fs'
import { beforeAll, expect, onTestFailed, test } from 'vitest'
import { pickLook, openBrowser, readDownload } from '#platform/testing/browser.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { paymentTexts } from '#features/payments/texts.ts'
import { paperTexts } from '#features/payments/texts-papers.ts'
import { aPaidSandboxOrder, aBrowserPayer, createPageCheck, takeScreenshot } from './pay-visit.ts'

// Documents: an invoice under its rules, the list of receipts and invoices, the statement as a file.
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])
beforeAll(() => void mkdirSync('e2e/.shots', { recursive: true }))

test.each(pickLook())('$width $lang $theme: an invoice, its form, its copy, and the statement', async (look) => {
  const [t, p] = [paperTexts[look.lang], paymentTexts[look.lang]]
  const payer = await aBrowserPayer(browser, server, look)
  const { page, context, problems } = payer
  const seen = createPageCheck(page, look)
  onTestFailed(() => takeScreenshot(page, `papers-failed-${look.width}`).then(() => undefined))
  await page.goto(`${server.baseUrl}/receipts`)
  const apply = page.getByRole('button', { name: t['inv_apply'], exact: true })
  await apply.click()
  await page.getByText(t['inv_required'], { exact: true }).first().waitFor()
  await page.getByLabel(t['inv_userName'], { exact: true }).fill('Li 4')
  await page.getByText(t['inv_letters'], { exact: true }).first().waitFor()
  await seen('papers-problems', 'passes')
  const details = {
    userName: 'Wang Xiaoming',
    email: 'w@example.com',
    country: '中国',
    state: '广东',
    city: '深圳',
    postalCode: '518000',
    addressLine: '<script>1</script> 深南大道',
  }
  for (const [name, value] of Object.entries(details)) await page.getByLabel(t[`inv_${name as 'userName'}`], { exact: true }).fill(value)
  await apply.click()
  const preview = page.getByRole('dialog', { name: t['inv_preview'], exact: true })
  await preview.getByText(p['error_INVOICE_EMPTY']).first().waitFor()
  await page.keyboard.press('Escape')

  await aPaidSandboxOrder(server, payer, { amount: '25' })
  await apply.click()
  await preview.getByText('$25.88', { exact: true }).first().waitFor()
  await seen('invoice-preview')
  // a fee of 0.4 %, rounded up to the cent, which the user must confirm
  await preview.getByRole('button', { name: t['inv_issue'], exact: true }).click()
  const agree = page.getByRole('alertdialog').getByRole('button', { name: t['inv_cost_action'].replace('{fee}', '$0.11'), exact: true })
  const [file] = await Promise.all([page.waitForEvent('download'), agree.click()])
  expect(file.suggestedFilename()).toMatch(/^IN-\d{4}-\d{6}\.pdf$/)
  expect((await readDownload(file)).subarray(0, 5).toString()).toBe('%PDF-')
  const number = file.suggestedFilename().slice(0, -4)
  await page.getByText(number, { exact: true }).waitFor()
  const [copy] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: t['download_of'].replace('{no}', number), exact: true }).click(),
  ])
  expect(copy.suggestedFilename()).toBe(`${number}.pdf`)
  const [csv] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: t['statement_get'], exact: true }).click()])
  expect((await readDownload(csv)).toString()).toContain('25')
  await page.getByRole('button', { name: t['kind_receipt'], exact: true }).click()
  await page.getByText(t['papers_empty'], { exact: true }).waitFor()
  await page.getByRole('button', { name: t['kind_all'], exact: true }).click()
  await page.getByText(number, { exact: true }).waitFor()
  await seen('papers')
  // details that the form does not accept are requested from the desk; the request can be withdrawn while it is pending
  await page.getByRole('button', { name: t['ask_open'], exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t['inv_userName'], { exact: true }).fill('A&B 2 (HK) Co., Ltd.')
  const country = t['ask_optional'].replace('{field}', t['inv_country'])
  await dialog.getByLabel(country, { exact: true }).fill('')
  await dialog.getByLabel(t['ask_optional'].replace('{field}', t['ask_note']), { exact: true }).fill('CR No. 1234567')
  await seen('ask-invoice')
  // missing fields are reported on submit
  const email = dialog.getByLabel(t['inv_email'], { exact: true })
  await email.fill('')
  await dialog.getByRole('button', { name: t['ask_send'], exact: true }).click()
  await dialog.getByText(t['inv_required'], { exact: true }).waitFor()
  await seen('ask-missing', 'passes')
  await email.fill('w@example.com')
  await dialog.getByRole('button', { name: t['ask_send'], exact: true }).click()
  await page.getByText('A&B 2 (HK) Co., Ltd.', { exact: true }).waitFor()
  await page.getByText(t['asked_open'], { exact: true }).waitFor()
  await seen('asked')
  await page.getByRole('button', { name: new RegExp(`^${t['asked_drop_of'].replace('{no}', 'IR-')}`) }).click()
  await page.getByText(t['asked_withdrawn'], { exact: true }).waitFor()
  expect(problems).toEqual([])
  await context.close()
})
