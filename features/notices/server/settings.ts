import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'

export const keepDays = setting('notices.keepDays', z.number().int().min(1).max(3650), 30, 'Days that the record of a sent mail (without its content) is kept')
export const keepSandboxDays = setting('notices.keepSandboxDays', z.number().int().min(1).max(365), 7, 'Days that a mail stays in the sandbox mailbox')

export const noticesSettings = [keepDays, keepSandboxDays]
