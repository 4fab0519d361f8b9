import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { CARD_FIELDS } from '#features/cards/contract-card.ts'
import { KEY_FIELDS } from '#features/gateway/contract.ts'
import { XSS } from '#platform/testing/xss.ts'
import { features } from '../features.ts'

// money.md H2: every text that a customer can store, and the reason why it is shown as plain text only.

const ROOT = join(import.meta.dirname, '../../..')
const WRITES = /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\s*=|insertAdjacentHTML|createContextualFragment|document\.write|srcDoc|\bDOMParser\b/

/** Fields that accept markup and are shown to a browser in a test, with that test. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  // e2e/pages/attacks.test.ts
  'POST /user/updateUserInfo': ['name', 'firstName', 'lastName'],
  'POST /user/updateInvoiceDetails': ['country', 'state', 'city', 'addressLine', 'postalCode'],
  'POST /user/key/generate': ['keyName'],
  'POST /user/key/update': ['keyName'],
  // e2e/support/conversation.test.ts
  'POST /common/support/start': ['text'],
  'POST /common/support/send': ['text'],
  // e2e/pages/attacks-stored.test.ts
  'POST /common/complaint': ['content'],
  'POST /v1/userWrapperApi/usageStat/applyInvoice': ['country', 'state', 'city', 'addressLine', 'postalCode'],
  'POST /pay/refund': ['reason'],
  // e2e/pages/console-hostile.test.ts
  'POST /v1/userWrapperApi/usageStat/askInvoice': ['userName', 'country', 'city', 'addressLine', 'postalCode', 'note'],
}
const ADDRESS = ['issuer', 'province', 'city', 'county', 'street', 'confirmed']
/** Rendered as text by React or escaped in a mail. The test below proves that pages have no other way to show text. */
const DRAWN: Readonly<Record<string, readonly string[]>> = {
  'POST /user/passkey/add': ['name'],
  'POST /card/update': ['line1', 'line2', 'city'],
  'POST /card/dispute': ['words'],
  'POST /user/key/test': ['text'],
  'POST /account/opening/draft': ['values', 'confirmed'],
  'POST /account/create': ADDRESS,
  'POST /user/createAccount': ADDRESS,
  'POST /v1/tool/proxy/extension/link': ['name'],
  'POST /reward/bindTask': ['account', 'link'],
  'POST /reward/bindTask/link': ['link'],
}
/** Stored fields that the pages show as they are, by the beginning of the path: rendered like those above. */
const DRAWN_FIELDS: Readonly<Record<string, readonly string[]>> = { '/user/key/': KEY_FIELDS, '/card/': CARD_FIELDS }
/** Fields that accept markup but are never shown, with the reason. */
const COMPARED: Readonly<Record<string, string>> = {
  password: 'hashed',
  captchaVerifyParam: 'checked by the captcha’s vendor',
  accessToken: 'asked of Google',
  idToken: 'its signature is checked',
  clientId: 'compared with our own',
  state: 'compared with the one that was given out',
  inviteCode: 'looked up among the codes; an unknown one is not kept',
  verifyFlow: 'compared as a hash',
  sessionId: 'looked up among one’s own',
  requestKey: 'compared: the same key is the same call',
  apiToken: 'looked up as a hash',
  keyId: 'looked up among one’s own',
  model: 'a filter',
  q: 'a search',
  after: 'a place in a list',
  before: 'a place in a list',
  callId: 'looked up among one’s own',
  cardId: 'kept with the order for what it pays for; no page shows it',
  service: 'kept with the order for what it pays for; no page shows it',
  redirectUrl: 'a way back; only this site’s is taken, as the redirect tests in e2e/pages/attacks.test.ts ask',
  id: 'looked up',
  rawId: 'a passkey’s, compared as bytes',
  response: 'a passkey’s, verified',
  passkeyId: 'looked up among one’s own',
  codeTicket: 'compared as a hash',
  nonce: 'given to the issuer, who compares it',
  merchant: 'a filter',
  find: 'a filter',
  orderNo: 'looked up among one’s own',
  billId: 'looked up among one’s own',
  filePath: 'looked up among one’s own',
  token: 'of a voice room: its signature is checked',
  sign: 'compared with our own signature',
  returnUrl: 'a way back; only this site’s is taken',
  suffix: 'looked up among the domains',
  confirm: 'compared with the words it must be',
  version: 'compared with what is',
  consentVersion: 'compared with what holds',
  conversationId: 'looked up among one’s own',
}

/** Lists every field that accepts text with markup, at any depth. */
function listMarkupFields(schema: z.ZodType, name: string): string[] {
  if ([XSS[0], XSS[0]!.slice(0, 20)].some((text) => schema.safeParse(text).success)) return [name]
  const { shape, element, unwrap, options, valueType } = schema as unknown as {
    readonly shape?: Record<string, z.ZodType>
    readonly element?: z.ZodType
    readonly unwrap?: () => z.ZodType
    readonly options?: readonly z.ZodType[]
    readonly valueType?: z.ZodType
  }
  if (shape) return Object.entries(shape).flatMap(([field, inner]) => listMarkupFields(inner, field))
  if (unwrap) return listMarkupFields(unwrap.call(schema), name)
  const inner = [element, valueType, ...(options ?? [])].filter((each) => typeof each === 'object' && 'safeParse' in each)
  return inner.flatMap((each) => listMarkupFields(each!, name))
}

const isDrawn = (name: string, field: string) =>
  Object.entries(DRAWN_FIELDS).some(([path, fields]) => name.startsWith(`POST ${path}`) && fields.includes(field))
const isKnown = (name: string, field: string) => [SHOWN, DRAWN].some((fields) => fields[name]?.includes(field)) || isDrawn(name, field) || field in COMPARED

test('every text field that takes markup is known', () => {
  const endpoints = features.flatMap(({ routes }) => (routes ?? []).flatMap(({ contract }) => Object.values(contract)))
  const taking = endpoints.flatMap(({ method, path, input }) => listMarkupFields(input as z.ZodType, '').map((field) => ({ name: `${method} ${path}`, field })))
  expect(taking.length).toBeGreaterThan(40)
  for (const { name, field } of taking) expect([name, field, isKnown(name, field)]).toEqual([name, field, true])
  // Every listed field still exists in a contract.
  for (const [name, fields] of [...Object.entries(SHOWN), ...Object.entries(DRAWN)])
    for (const field of fields) expect([name, field, taking.some((one) => one.name === name && one.field === field)]).toEqual([name, field, true])
  for (const field of Object.keys(COMPARED)) expect([field, taking.some((one) => one.field === field)]).toEqual([field, true])
})

test('no page writes markup of its own: React draws every text, and takes no javascript: address', () => {
  const files = globSync('{ui,platform/web,apps/web,apps/console,features/*/web,features/*/console}/**/*.{ts,tsx}', { cwd: ROOT })
  expect(files.length).toBeGreaterThan(800)
  const writing = files.filter((file) => !/\.test\.tsx?$/.test(file) && WRITES.test(readFileSync(join(ROOT, file), 'utf8')))
  // A channel's form is parsed in an inert document, and only its fields are copied.
  expect(writing).toEqual(['features/payments/web/pay/leave.ts'])
})
