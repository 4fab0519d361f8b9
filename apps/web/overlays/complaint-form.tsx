import { useEffect, useId, useRef } from 'react'
import { supportContract, supportErrors, TEXT_MAX } from '#features/support/contract.ts'
import { supportPageTexts } from '#features/support/texts.ts'
import { useCurrentUser } from '#features/account/web/index.tsx'
import { createApi } from '#platform/web/calls/api.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useFields } from '#platform/web/use-fields.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { Field } from '#ui/fields/field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { toast } from '#ui/layers/toast.ts'
import { layerTexts } from '../layer-texts.ts'

const api = createApi({ complaint: supportContract.complaint }, { errors: supportErrors, texts: supportPageTexts })
const { content, email, orderNo } = supportContract.complaint.input.shape

interface ComplaintFormProps {
  readonly id: string
  readonly orderNo: string | undefined
  readonly onBusy: (busy: boolean) => void
  readonly onDone: () => void
}

export function ComplaintForm({ id, orderNo: givenOrderNo, onBusy, onDone }: ComplaintFormProps) {
  const t = useTexts(layerTexts)
  const ownEmail = useCurrentUser().data?.email ?? ''
  const contentId = useId()
  const submit = useSubmit()
  const fields = useFields(
    (key: 'v_complaintContent' | 'v_complaintEmail' | 'v_complaintOrder') => t(key, { max: TEXT_MAX }),
    { content: '', email: ownEmail, orderNo: givenOrderNo ?? '' },
    {
      content: (values) => (content.safeParse(values.content).success ? undefined : 'v_complaintContent'),
      email: (values) => (email.safeParse(values.email).success ? undefined : 'v_complaintEmail'),
      orderNo: (values) => (orderNo.safeParse(values.orderNo.trim() || undefined).success ? undefined : 'v_complaintOrder'),
    },
  )
  const { set } = fields
  // one's own address arrives later than the form, and never over what was typed
  const isTyped = useRef(false)
  const setOnce = useRef(set)
  useEffect(() => {
    if (ownEmail && !isTyped.current) setOnce.current({ email: ownEmail })
  }, [ownEmail])
  const send = fields.submit(async (values) => {
    onBusy(true)
    await submit
      .run(async () => {
        await api.complaint({ content: values.content, email: values.email, orderNo: values.orderNo.trim() || undefined })
        toast.success(t('complaintSent', { email: values.email.trim() }))
        onDone()
      })
      .finally(() => onBusy(false))
  })
  const { failure } = submit
  const text = fields.bind('content')
  const mail = fields.bind('email')
  const order = fields.bind('orderNo')
  return (
    <form {...fields.form} id={id} onSubmit={send} className="grid gap-4 pb-4">
      {failure ? <AlertBox kind="error">{isApiError(failure) ? failure.message : t('complaintFailed')}</AlertBox> : null}
      <Field id={contentId} label={t('complaintContent')} hint={t('complaintContentHint')} error={text.error}>
        <textarea
          id={contentId}
          name="content"
          rows={6}
          value={text.value}
          onChange={(event) => text.onChange(event.target.value)}
          className="input min-h-36 resize-y"
          aria-invalid={text.error ? true : undefined}
          aria-describedby={`${contentId}-note`}
        />
      </Field>
      <TextField
        type="email"
        name="email"
        inputMode="email"
        autoComplete="email"
        label={t('complaintEmail')}
        value={mail.value}
        onChange={(event) => {
          isTyped.current = true
          mail.onChange(event.target.value)
        }}
        error={mail.error}
      />
      <TextField
        name="orderNo"
        autoComplete="off"
        className="num"
        label={t('complaintOrder')}
        value={order.value}
        onChange={(event) => order.onChange(event.target.value)}
        error={order.error}
      />
    </form>
  )
}
