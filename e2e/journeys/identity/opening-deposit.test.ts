import type { TextKeyOf } from '#platform/shared/texts.ts'
import { randomInt } from 'node:crypto'
import { expect, onTestFailed, test } from 'vitest'
import { runAxe, pickLook, openBrowser, measureOverflow } from '#platform/testing/browser.ts'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { openingTexts } from '#features/cards/web/opening/texts.ts'
import { seedSession } from '../../signed-in.ts'
import { callPlatform, registerByHttp } from '../../visitor.ts'
import { openAccountVisit } from '../account-visit.ts'

// A deposit instead of a face check: the papers need a photo of the holder, which the demo's samples include.
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])
/** Reading takes a second of one core; a busy machine has a tenth of a core left. */
const READING_MS = 3 * PATIENCE_MS

test.each(pickLook())('$width $lang $theme: without a face check a photo of the holder is asked for', async (look) => {
  const t = (key: TextKeyOf<typeof openingTexts>, values: Record<string, string> = {}) =>
    Object.entries(values).reduce((text, [name, value]) => text.replace(`{${name}}`, value), openingTexts[look.lang][key])
  const { token } = await registerByHttp(server)
  const call = (path: string, body: object) => callPlatform(server, 'POST', { path, input: body, headers: { accesstoken: token } })
  await call('/account/opening/notice', { agreed: true })
  await call('/account/opening/taxpayer', { isTaxResidentUS: false, declared: true })
  await call('/account/opening/method', { method: 'face' })
  const { page, context } = await openAccountVisit(browser, look)
  await seedSession(context, token)
  onTestFailed(async () => void (await page.screenshot({ path: 'e2e/.shots/failed-opening-deposit.png', timeout: 5000 }).catch(() => {})))
  const seen = async (name: string) => {
    await page.evaluate('document.fonts.ready')
    await page.screenshot({ path: `e2e/.shots/opening-deposit-${name}-${look.width}-${look.lang}-${look.theme}.png`, fullPage: true })
    expect([name, await runAxe(page)]).toEqual([name, []])
    expect([name, await measureOverflow(page)]).toEqual([name, 0])
  }
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const input = page.locator(`input[type=file][aria-label="${t('upload_photo')}"]`)
  const kept = page.getByRole('button', { name: t('enlarge', { name: t('side_photo') }) })

  await page.goto(`${server.baseUrl}/open-account`)
  await page.getByRole('heading', { level: 1, name: t('papers_title') }).waitFor()
  expect(await input.count()).toBe(0)
  await press(t('paper_toDeposit'))
  await input.waitFor({ state: 'attached' })
  expect(await input.getAttribute('capture')).toBe('user')
  await page.getByText(t('photo_hint'), { exact: true }).waitFor()
  await seen('empty')

  await press(t('samples_use'))
  await kept.locator('img').waitFor({ timeout: READING_MS })
  await page.getByRole('button', { name: t('enlarge', { name: t('side_passport') }) }).waitFor({ timeout: READING_MS })
  await expect.poll(() => page.locator('input[type=file] ~ button .spinner').count(), { timeout: READING_MS }).toBe(0)
  await seen('full')

  // deleted elsewhere, the photo is missing, and the note says so; another one is selected manually
  const { data } = await callPlatform(server, 'GET', { path: '/account/opening', headers: { accesstoken: token } })
  expect(data.needed.passport).toEqual(['passport', 'photo'])
  await call('/common/upload/delete', { filePath: data.files.photo.filePath })
  await page.reload()
  await input.waitFor({ state: 'attached' })
  await press(t('papers_next'))
  await page.getByText(t('papers_missing', { what: t('side_photo') }), { exact: true }).waitFor()
  await seen('missing')
  await input.setInputFiles({ name: 'me.txt', mimeType: 'text/plain', buffer: Buffer.from('me') })
  await page.locator('p', { hasText: t('upload_hint') }).waitFor()
  const drawn = await fetch(`${server.baseUrl}/sandbox/papers/7/photo`)
  await input.setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(await drawn.arrayBuffer()) })
  await kept.locator('img').waitFor()
  await press(t('papers_next'))

  await page.getByRole('heading', { level: 1, name: t('check_title') }).waitFor()
  // types the fields that were not read; each run uses a different sample
  const typed = { number: `E${randomInt(10_000_000, 99_999_999)}`, birthDate: '1991-02-28', validUntil: '2036-03-09' }
  for (const [row, value] of Object.entries(typed)) {
    const field = page.locator(`#row-${row} input:not([type=checkbox])`)
    if ((await field.inputValue()) === '') await field.fill(value)
  }
  await page.locator('#row-address textarea').fill('广东省深圳市南山区粤海街道麻岭一巷7号')
  await page.locator('#row-place input').first().fill('518057')
  for (const tick of await page.locator('[id^=row-] input[type=checkbox]').all()) await tick.check()
  await press(t('check_next_pay'))
  await page.getByRole('heading', { level: 1, name: t('pay_title') }).waitFor()
  await context.close()
})
