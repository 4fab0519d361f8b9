import { useEffect, useId, useState } from 'react'
import type { z } from 'zod'
import { supportContract, supportErrors, TEXT_MAX } from '#features/support/contract.ts'
import { supportTexts } from '#features/support/texts.ts'
import { useMe } from '#features/account/web/index.tsx'
import { createApi } from '#platform/web/api.ts'
import { isApiError } from '#platform/web/api-error.ts'
import { useZodForm } from '#platform/web/form.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { AlertBox } from '#ui/alert-box.tsx'
import { Field } from '#ui/field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.ts'
import { layerTexts } from '../layer-texts.ts'

const api = createApi({ complaint: supportContract.complaint }, { errors: supportErrors, texts: supportTexts })
const schema = supportContract.complaint.input
type Sent = z.input<typeof schema>

interface ComplaintFormProps {
  readonly id: string
  readonly orderNo: string | undefined
  readonly onBusy: (busy: boolean) => void
  readonly onDone: () => void
}

export function ComplaintForm({ id, orderNo, onBusy, onDone }: ComplaintFormProps) {
  const t = useTexts(layerTexts)
  const email = useMe().data?.email ?? ''
  const contentId = useId()
  const [failed, setFailed] = useState<string>()
  const form = useZodForm(schema, { content: '', email, orderNo } as Sent)
  const { errors, dirtyFields } = form.formState
  useEffect(() => {
    if (email && !dirtyFields.email) form.setValue('email', email)
  }, [email, dirtyFields.email, form])
  const send = form.handleSubmit(async (input) => {
    setFailed(undefined)
    onBusy(true)
    try {
      await api.complaint(input)
      toast.success(t('complaintSent', { email: input.email }))
      onDone()
    } catch (error) {
      setFailed(isApiError(error) ? error.message : t('complaintFailed'))
    } finally {
      onBusy(false)
    }
  })
  return (
    <form id={id} noValidate onSubmit={(event) => void send(event)} className="grid gap-4 pb-4">
      {failed ? <AlertBox kind="error">{failed}</AlertBox> : null}
      <Field
        id={contentId}
        label={t('complaintContent')}
        hint={t('complaintContentHint')}
        error={errors.content ? t('v_complaintContent', { max: TEXT_MAX }) : undefined}
      >
        <textarea
          {...form.register('content')}
          id={contentId}
          rows={6}
          className="input min-h-36 resize-y"
          aria-invalid={errors.content ? true : undefined}
          aria-describedby={`${contentId}-note`}
        />
      </Field>
      <TextField
        {...form.register('email')}
        type="email"
        inputMode="email"
        autoComplete="email"
        label={t('complaintEmail')}
        error={errors.email ? t('v_complaintEmail') : undefined}
      />
      <TextField
        {...form.register('orderNo', { setValueAs: (value: string | undefined) => value?.trim() || undefined })}
        autoComplete="off"
        className="num"
        label={t('complaintOrder')}
        error={errors.orderNo ? t('v_complaintOrder') : undefined}
      />
    </form>
  )
}
