import { expect, test } from 'vitest'
import { toPseudo } from './pseudo.ts'

test('words are longer and accented; placeholders, markup and addresses stay', () => {
  expect(toPseudo('Pay ${amount} to <b>us</b>, see https://mingxi.example/pay')).toEqual(
    expect.stringMatching(/^\u2067Pàýàý \$\{amount\} ťöö <b>ûšš<\/b>, šéééé https:\/\/mingxi\.example\/pay～+\u2069$/),
  )
  expect(toPseudo('{n|token|tokens} left')).toContain('{n|token|tokens} ĺéfťfť')
})
