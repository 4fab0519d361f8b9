import { expect, test } from 'vitest'
import { findLinkProblem, findMailProblem, shortenLink } from './plans.ts'

const HOSTS = ['pay.openai.com', 'chatgpt.com', 'checkout.stripe.com']
const SESSION = ['cs', 'live', 'a1B2c3D4e5', 'F6g7H8i9J0k1L2R8s9'].join('_').replace('5_F', '5F')
const KEY = '#fidkdWxOYHwnPyd1blpxYHZxWjA0S1VCM'

test.each([
  [`https://pay.openai.com/c/pay/${SESSION}${KEY}`, undefined],
  [`  https://checkout.stripe.com/c/pay/${SESSION}${KEY}  `, undefined],
  [`https://chatgpt.com/checkout/openai_llc/${SESSION}`, undefined],
  ['', 'empty'],
  ['pay.openai.com', 'not_link'],
  [`http://pay.openai.com/c/pay/${SESSION}${KEY}`, 'not_link'],
  [`https://pay.openai.com/c/pay/${SESSION}${KEY} and more`, 'not_link'],
  [`https://user:word@pay.openai.com/c/pay/${SESSION}${KEY}`, 'not_link'],
  [`javascript:alert(1)//${SESSION}`, 'not_link'],
  [`https://pay.openai.com.evil.example/c/pay/${SESSION}${KEY}`, 'host'],
  [`https://pay.openai.com:8443/c/pay/${SESSION}${KEY}`, 'host'],
  [`https://chatgpt.com/pricing`, 'incomplete'],
  [`https://pay.openai.com/c/pay/${SESSION}`, 'incomplete'],
  [`https://pay.openai.com/c/pay/cs_live_short${KEY}`, 'incomplete'],
  [`https://pay.openai.com/c/pay/${SESSION}#`, 'incomplete'],
])('link %s', (link, problem) => expect(findLinkProblem(link, HOSTS)).toBe(problem))

test.each([
  ['ouyang.xw+gpt@fastmail.com', undefined],
  ['a@b.co', undefined],
  [' ', 'empty'],
  ['nobody', 'invalid'],
  ['a@b', 'invalid'],
  ['a b@c.de', 'invalid'],
  ['wang@Outlook.com', 'microsoft'],
  ['wang@hotmail.co.uk', 'microsoft'],
  ['wang@live.cn', 'microsoft'],
  ['wang@outlook.mydomain.example', undefined],
  ['wang@notoutlook.com', undefined],
])('mail %s', (mail, problem) => expect(findMailProblem(mail)).toBe(problem))

test('a link is shortened to its host and its last characters', () => {
  expect(shortenLink(`https://pay.openai.com/c/pay/${SESSION}${KEY}`)).toBe('pay.openai.com/…R8s9')
  expect(shortenLink('')).toBe('')
})
