import { afterEach, expect, test } from 'vitest'
import { onDialog } from '#platform/web/state/dialogs.ts'
import { useSession } from '#platform/web/state/session.ts'
import { redirectToPaymentHelp, redirectToRecords, redirectToTarget } from './redirects.ts'

afterEach(() => useSession.setState({ token: undefined }))

/** Target of the redirect that a route throws; undefined if it throws none. */
function readRedirect(lead: () => void): object | undefined {
  try {
    lead()
    return undefined
  } catch (thrown) {
    return (thrown as { options: object }).options
  }
}

test('a signed-in user who resets the password starts at its second step, in the account', () => {
  expect(readRedirect(() => redirectToTarget({ search: { mode: 'reset' } }))).toBeUndefined()
  useSession.setState({ token: 'a session' })
  const opened: (string | undefined)[] = []
  const stop = onDialog((open) => void opened.push(open?.name))
  expect(readRedirect(() => redirectToTarget({ search: { mode: 'reset' } }))).toMatchObject({ to: '/account' })
  stop()
  expect(opened).toContain('password')
  expect(readRedirect(() => redirectToTarget({ search: { redirect: 'https://evil.test/' } }))).toMatchObject({ href: '/api' })
})

test.each([
  ['1', { to: '/orders', search: { type: '1' } }],
  ['2', { to: '/bill' }],
  ['3', { to: '/api', search: { tab: 'rechargeRecord' } }],
])('records of kind %s (1 account opening, 2 transactions of cards, 3 API) have their page', (type, page) => {
  expect(readRedirect(() => redirectToRecords({ search: { type } }))).toMatchObject(page)
})

test('payment situations are a help article', () => {
  expect(readRedirect(redirectToPaymentHelp)).toMatchObject({ href: '/help/payment-problems' })
})
