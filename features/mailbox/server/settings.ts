import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'

export const freeBoxes = setting('mailbox.free', z.int().min(0).max(100), { fallback: 1, about: 'Mailboxes that come free with a card that works' })
export const boxDays = setting('mailbox.days', z.int().min(1).max(365), { fallback: 30, about: 'Days that a mailbox takes mail' })
export const passwordMinutes = setting('mailbox.password_minutes', z.int().min(1).max(120), {
  fallback: 15,
  about: 'Minutes within which a new mailbox needs its password',
})
export const maxMailboxes = setting('mailbox.at_once', z.int().min(1).max(100), { fallback: 5, about: 'Mailboxes that one user may have at once' })
export const maxMails = setting('mailbox.most_mails', z.int().min(10).max(10_000), { fallback: 200, about: 'Mails that a mailbox holds' })
export const maxMegabytes = setting('mailbox.most_mb', z.int().min(1).max(1000), { fallback: 30, about: 'Megabytes that a mailbox holds' })
export const openHours = setting('mailbox.open_hours', z.int().min(1).max(168), {
  fallback: 12,
  about: 'Hours that a session needs the password of a mailbox no more',
})

export const mailboxSettings = [freeBoxes, boxDays, passwordMinutes, maxMailboxes, maxMails, maxMegabytes, openHours]
