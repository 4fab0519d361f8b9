import { Paperclip, X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/fields/field.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { toast } from '#ui/layers/toast.ts'
import { billTexts } from '../../texts-bills.ts'
import { DISPUTE_REASONS } from '../../words.ts'
import { billsApi } from '../cards-api.ts'
import { refreshCards } from '../use-cards.ts'
import { stripMinusSign } from './bill-words.ts'
import type { BillDetail } from './use-bills.ts'
import { CARDS_REASON_TEXT } from '../../state-texts-bills.ts'
import { z } from 'zod'
import { createApi } from '#platform/web/calls/api.ts'
import { defineContract } from '#platform/shared/contract.ts'

/** As `features/identity` serves them. */
const uploads = createApi(
  defineContract({})({
    policy: {
      method: 'GET',
      path: '/common/upload/policy',
      access: 'user',
      summary: 'A signed permission to upload one file',
      input: z.object({ purpose: z.string(), type: z.string(), size: z.number() }),
      reply: z.object({ filePath: z.string(), url: z.string(), fields: z.record(z.string(), z.string()), maxBytes: z.number() }),
      errors: [],
    },
    done: {
      method: 'POST',
      path: '/common/upload/done',
      access: 'user',
      summary: 'Takes an uploaded file in',
      timeoutMs: 60_000,
      input: z.object({ filePath: z.string() }),
      reply: z.object({ filePath: z.string() }),
      errors: [],
    },
  }),
)

const DISPUTE_EVIDENCE_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf']
const MAX_EVIDENCE_BYTES = 10_000_000

/** Uploads one file to the URL of its policy and completes the upload; the result is sent with the dispute. */
async function uploadEvidence(file: File): Promise<string> {
  const policy = await uploads.policy({ purpose: 'evidence', type: file.type, size: file.size })
  const form = new FormData()
  for (const [name, value] of Object.entries(policy.fields)) form.append(name, value)
  form.append('file', file)
  const response = await fetch(policy.url, { method: 'POST', body: form, credentials: 'omit' })
  if (!response.ok) throw new Error(`upload ${response.status}`)
  return (await uploads.done({ filePath: policy.filePath })).filePath
}

const MIN_LENGTH = 20
const MAX_LENGTH = 2000

/** Form to dispute a charge, with a text and a picture; the issuer decides. Input is kept when sending fails. */
export function DisputeForm({ bill, onClose }: { readonly bill: BillDetail; readonly onClose: () => void }) {
  const t = useTexts(billTexts)
  const id = useId()
  const [reason, setReason] = useState<(typeof DISPUTE_REASONS)[number]>('not_received')
  const [words, setWords] = useState('')
  const [file, setFile] = useState<File>()
  const [checked, setChecked] = useState(false)
  const sent = useRef<{ readonly file: File; readonly path: string }>(undefined)
  const { run, isRunning, failure } = useSubmit()
  const short = words.trim().length < MIN_LENGTH
  const wrongFile = file !== undefined && (!DISPUTE_EVIDENCE_TYPES.includes(file.type) || file.size > MAX_EVIDENCE_BYTES)
  const submit = () => {
    setChecked(true)
    if (short || wrongFile) return
    void run(async () => {
      // a file that is already uploaded is not sent twice
      if (file && sent.current?.file !== file) sent.current = { file, path: await uploadEvidence(file) }
      const filePath = file ? sent.current?.path : undefined
      await billsApi.disputeBill({ billId: bill.id, reason, words: words.trim(), ...(filePath === undefined ? {} : { filePath }) })
      toast.success(t('disputeSent'))
      refreshCards()
      onClose()
    })
  }
  return (
    <form
      className="grid gap-4 border-t border-line pt-5"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <h3 className="text-16 font-bold">{t('disputeTitle', { amount: displayUsd(stripMinusSign(bill.amount)) })}</h3>
      <PickField
        label={t('disputeReason')}
        value={reason}
        onChange={setReason}
        options={DISPUTE_REASONS.map((value) => ({ value, label: t(CARDS_REASON_TEXT[value]) }))}
      />
      <Field
        id={id}
        label={t('disputeWords')}
        hint={t('disputeWordsHint', { count: words.trim().length, most: MAX_LENGTH })}
        error={checked && short ? t('disputeShort', { least: MIN_LENGTH }) : undefined}
      >
        <textarea
          id={id}
          rows={5}
          maxLength={MAX_LENGTH}
          value={words}
          className="input resize-y"
          aria-invalid={checked && short ? true : undefined}
          aria-describedby={`${id}-note`}
          onChange={(event) => setWords(event.target.value)}
        />
      </Field>
      <Evidence file={file} wrong={wrongFile} onChoose={setFile} />
      {failure ? <AlertBox kind="error">{isApiError(failure) ? failure.message : t('uploadFailed')}</AlertBox> : null}
      <p className="text-13 text-fg-2">{t('disputeNote')}</p>
      <div className="flex gap-3 mobile:[&>*]:flex-1">
        <Button type="submit" loading={isRunning}>
          {t('disputeSend')}
        </Button>
        <Button variant="secondary" onClick={onClose}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}

interface EvidenceProps {
  readonly file: File | undefined
  readonly wrong: boolean
  readonly onChoose: (file: File | undefined) => void
}

function Evidence({ file, wrong, onChoose }: EvidenceProps) {
  const t = useTexts(billTexts)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  return (
    <Field id={id} label={t('evidence')} hint={t('evidenceHint')} error={wrong ? t('evidenceWrong') : undefined}>
      <div className="flex items-center gap-2">
        <input
          ref={input}
          id={id}
          type="file"
          accept={DISPUTE_EVIDENCE_TYPES.join(',')}
          className="sr-only"
          tabIndex={-1}
          aria-describedby={`${id}-note`}
          onChange={(event) => onChoose(event.target.files?.[0])}
        />
        <Button variant="secondary" onClick={() => input.current?.click()}>
          <Paperclip size={16} strokeWidth={1.75} aria-hidden="true" />
          {t(file ? 'evidenceOther' : 'evidenceChoose')}
        </Button>
        {file ? (
          <>
            <span className="min-w-0 truncate text-13 text-fg-2">{file.name}</span>
            <IconButton
              label={t('evidenceRemove')}
              onClick={() => {
                if (input.current) input.current.value = ''
                onChoose(undefined)
              }}
            >
              <X size={16} strokeWidth={1.75} aria-hidden="true" />
            </IconButton>
          </>
        ) : null}
      </div>
    </Field>
  )
}
