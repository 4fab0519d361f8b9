import { defineTexts } from '#platform/shared/texts.ts'
import en from '../messages/invoices.en.json' with { type: 'json' }
import zh from '../messages/invoices.zh.json' with { type: 'json' }

export const invoiceTexts = defineTexts({ zh, en })
