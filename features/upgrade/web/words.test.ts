import { expect, test } from 'vitest'
import { EMPTY, filledFor, firstOpen, serviceAt, stepAt } from './words.ts'

test('a returning member continues at the first step that is not done', () => {
  const plus = { ...EMPTY, plan: 'chatgpt-plus' }
  expect(firstOpen(EMPTY)).toBe('service')
  expect(firstOpen({ ...EMPTY, plan: 'gone' })).toBe('service')
  expect(firstOpen({ ...plus, plan: 'chatgpt-team-month' })).toBe('plan')
  expect(firstOpen(plus)).toBe('account')
  expect(firstOpen({ ...plus, account: 'wang@outlook.com' })).toBe('account')
  expect(firstOpen({ ...plus, account: 'wang@fastmail.com' })).toBe('open')
  expect(firstOpen({ ...plus, account: 'wang@fastmail.com', link: 'https://pay.openai.com/' })).toBe('pay')
})

test('a reloaded page stays at its step, and never at one that is not reached', () => {
  const plus = { ...EMPTY, plan: 'chatgpt-plus' }
  const named = { ...plus, account: 'wang@fastmail.com' }
  expect(stepAt({ step: 'link' }, named)).toBe('link')
  expect(stepAt({ step: 'plan' }, EMPTY)).toBe('plan')
  expect(stepAt({ step: 'notice' }, plus)).toBe('notice')
  expect(stepAt({ step: 'account' }, { ...named, link: 'https://pay.openai.com/' })).toBe('account')
  expect(stepAt({ step: 'pay' }, named)).toBe('open')
  expect(stepAt({ step: 'link' }, plus)).toBe('account')
  expect(stepAt({ step: 'notice' }, EMPTY)).toBe('service')
  for (const step of [undefined, 'wait', 'result', 'constructor', '3']) expect(stepAt({ step }, named)).toBe('open')
})

test('the service in the address applies until a plan is kept, and takes only the account of another one along', () => {
  const plus = { ...EMPTY, plan: 'chatgpt-plus', account: 'wang@fastmail.com', link: 'https://pay.openai.com/' }
  expect(serviceAt({}, EMPTY)).toBe('chatgpt')
  expect(serviceAt({ service: 'cursor' }, EMPTY)).toBe('cursor')
  expect(serviceAt({ service: 'nonsense' }, plus)).toBe('chatgpt')
  expect(filledFor('cursor', plus)).toEqual({ ...EMPTY, account: 'wang@fastmail.com' })
  expect(filledFor('chatgpt', plus)).toBe(plus)
})
