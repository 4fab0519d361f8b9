import { mkdirSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { drawnLook, openBrowser, openContext } from '#platform/testing/browser.ts'
import { until } from '#platform/testing/patience.ts'
import { sharedServer } from '#platform/testing/server.ts'
import { flexTexts } from '#features/flex/texts.ts'
import { voiceTexts } from '#features/flex/texts-voice.ts'
import { callPlatform } from '../visitor.ts'
import { aPayer, looking } from './pay-visit.ts'

// Somebody opens the voice room of their subscription and lets a friend in by an address; both hear each other. The microphone is Chromium's own that beeps.
const [browser, server] = await Promise.all([openBrowser(), sharedServer()])
beforeAll(() => void mkdirSync('e2e/.shots', { recursive: true }))

/** Every connection that pages make stands in `window.lines`, so that what arrives can be counted. */
const keepLines = (context: BrowserContext) =>
  context.addInitScript(`{
    const Real = RTCPeerConnection
    window.lines = []
    window.RTCPeerConnection = class extends Real { constructor(...all) { super(...all); window.lines.push(this) } }
  }`)
/** Bytes of sound that came, and the loudness that was made of them. */
const arrived = (page: Page) =>
  page.evaluate(`(async () => {
    let bytes = 0, energy = 0
    for (const line of window.lines) for (const stat of (await line.getStats()).values())
      if (stat.type === 'inbound-rtp') { bytes += stat.bytesReceived; energy += stat.totalAudioEnergy ?? 0 }
    return { bytes, energy }
  })()`) as Promise<{ bytes: number; energy: number }>

test.each(drawnLook())('$width $lang $theme: two browsers hear each other, one is muted, one goes', async (look) => {
  const [t, f] = [voiceTexts[look.lang], flexTexts[look.lang]]
  const { page, context, token, problems } = await aPayer(browser, server, look)
  const seen = looking(page, look)
  const call = (method: 'GET' | 'POST', path: string, input: object) =>
    callPlatform(server, method, `/v1/tool/openaiPlus/${path}`, input, { 'accesstoken': token, 'idempotency-key': `voice-${Math.random()}` })
  await call('POST', 'applySharePlus', { packageId: 1, inviteCode: '' })
  await until(async () => (await call('GET', 'shareUseInfo', {})).data.rowList[0].useStatus === 1, 'a subscription in use')
  await keepLines(context)
  await page.goto(`${server.baseUrl}/gpt-plus-share`)
  await page.getByRole('link', { name: f.voiceRoomEnter, exact: true }).click()
  const join = (at: Page) => at.getByRole('button', { name: t.voiceJoin, exact: true })
  await join(page).waitFor()
  await seen('voice-lobby')

  // The browser does not let the page hear: it says how to change that
  await join(page).click()
  await page.getByText(t.voiceDenied, { exact: true }).waitFor()
  await seen('voice-denied')
  await context.grantPermissions(['microphone'], { origin: server.baseUrl })
  await page.getByRole('button', { name: t.voiceRetry, exact: true }).click()
  await page.getByText(t.voiceAlone, { exact: true }).waitFor()

  const invited = (await call('GET', 'voiceInvite', {})).data.url as string
  const guest = await openContext(browser, look)
  await guest.context.grantPermissions(['microphone'], { origin: server.baseUrl })
  await keepLines(guest.context)
  await guest.page.goto(invited)
  await join(guest.page).click()
  await guest.page.getByText(t.voiceOwner, { exact: true }).waitFor()
  await page.getByText(t.voiceGuest, { exact: true }).waitFor()
  for (const each of [page, guest.page])
    await until(async () => {
      const { bytes, energy } = await arrived(each)
      return bytes > 1000 && energy > 0
    }, 'sound that arrives')
  await seen('voice-room')

  await page.getByRole('button', { name: t.voiceMute, exact: true }).click()
  await guest.page.getByText(t.voiceMuted, { exact: true }).waitFor()
  await guest.page.getByRole('button', { name: t.voiceLeave, exact: true }).click()
  await guest.page.getByText(t.voiceLeft, { exact: true }).waitFor()
  await page.getByText(t.voiceAlone, { exact: true }).waitFor()
  expect([...problems, ...guest.problems]).toEqual([])
  await Promise.all([context.close(), guest.context.close()])
})
