import { expect, test } from 'vitest'
import { z } from 'zod'
import { findSettingComment, buildSettingsPage, listUnexplained } from './settings.ts'

const group = {
  name: 'mail',
  config: { SMTP_URL: z.string().optional(), MAIL_PARTS: z.string().default('a|b'), MAIL_FROM: z.string() },
  settings: [{ key: 'mail.days', fallback: 30, about: 'Days that a mail is kept' }],
  sources: ['const x = {\n  /** smtp://host,\n   * or smtps. */\n  SMTP_URL: z.string(),\n  MAIL_PARTS: z.string(),\n}'],
  pages: [{ name: 'post', text: '| `MAIL_FROM` | the sender |' }],
}

test('the comment right above a name, on one line, is its meaning', () => {
  expect(findSettingComment('SMTP_URL', group.sources)).toBe('smtp://host, or smtps.')
  expect(findSettingComment('MAIL_PARTS', group.sources)).toBe('')
})

test('every name and every setting has a row with its default', () => {
  const page = buildSettingsPage([group])
  expect(page).toContain('| `SMTP_URL` | – | smtp://host, or smtps. |')
  expect(page).toContain('| `MAIL_PARTS` | `a\\|b` |')
  expect(page).toContain('| `MAIL_FROM` | required | See [post](vendors/post.md). |')
  expect(page).toContain('| `mail.days` | `30` | Days that a mail is kept |')
})

test('a name that neither a comment nor a page of a vendor explains is reported', () => {
  expect(listUnexplained([group])).toEqual(['MAIL_PARTS'])
})
