import { mkdirSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { fill } from '#platform/shared/texts.ts'
import { pickLook, openBrowser } from '#platform/testing/browser.ts'
import { getSharedServer } from '#platform/testing/server.ts'
import { flexTexts } from '#features/flex/texts.ts'
import { aBrowserPayer, markAsPaidBefore, createPageCheck } from '../pay-visit.ts'

// A free trial of ChatGPT: the user enters the shared chat, sends a message, sees it counted, and requests the price of a month.
const [browser, server] = await Promise.all([openBrowser(), getSharedServer()])
beforeAll(() => void mkdirSync('e2e/.shots', { recursive: true }))

test.each(pickLook())('$width $lang $theme: a trial begins, is entered and counted; a month asks to be paid', async (look) => {
  const t = flexTexts[look.lang]
  const payer = await aBrowserPayer(browser, server, look)
  await markAsPaidBefore(server, payer)
  const { page, context, problems } = payer
  const seen = createPageCheck(page, look)
  await page.goto(`${server.baseUrl}/gpt-plus-share`)
  const trial = page.getByRole('button', { name: new RegExp(`^${t.try} `) })
  await trial.waitFor()
  await seen('flex-packages')
  await trial.click()
  const enter = page.getByRole('button', { name: fill(t.enter, { name: 'ChatGPT' }), exact: true })
  await enter.waitFor()
  await page.getByText('/ 30').waitFor()

  const opening = context.waitForEvent('page')
  await enter.click()
  const chat = await opening
  await chat.getByRole('button').click()
  await chat.getByText('1', { exact: false }).first().waitFor()
  expect(await chat.evaluate('window.opener')).toBeNull()
  await chat.close()
  await page.reload()
  await page.getByText('1 / 30').waitFor()
  await seen('flex-in-use')

  await page.goto(`${server.baseUrl}/gpt-plus-share?tab=sora`)
  await page
    .getByRole('button', { name: new RegExp(`^${t.buy} `) })
    .nth(1)
    .click()
  await page.getByRole('dialog').getByText('$14.90').first().waitFor()
  await page.keyboard.press('Escape')
  expect(problems).toEqual([])
  await context.close()
})
