import { useEffect, useState, useId, useRef } from 'react'
import { QueryProvider } from '#platform/web/calls/query.tsx'
import { closeDialog, useDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { layerTexts } from '../layer-texts.ts'
import { contactSupport } from './contact.ts'
import { supportContract, supportErrors, TEXT_MAX } from '#features/support/contract.ts'
import { supportPageTexts } from '#features/support/texts.ts'
import { useCurrentUser } from '#features/account/web/index.tsx'
import { createApi } from '#platform/web/calls/api.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useFields } from '#platform/web/use-fields.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { Field } from '#ui/fields/field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { toast } from '#ui/layers/toast.ts'

const api = createApi({ complaint: supportContract.complaint }, { errors: supportErrors, texts: supportPageTexts })
const { content, email, orderNo } = supportContract.complaint.input.shape

interface ComplaintFormProps {
  readonly id: string
  readonly orderNo: string | undefined
  readonly onBusy: (busy: boolean) => void
  readonly onDone: () => void
}

function ComplaintForm({ id, orderNo: givenOrderNo, onBusy, onDone }: ComplaintFormProps) {
  const t = useTexts(layerTexts)
  const ownEmail = useCurrentUser().data?.email ?? ''
  const contentId = useId()
  const submit = useSubmit()
  const fields = useFields(
    (key: 'v_complaintContent' | 'v_complaintEmail' | 'v_complaintOrder') => t(key, { max: TEXT_MAX }),
    { content: '', email: ownEmail, orderNo: givenOrderNo ?? '' },
    {
      rules: {
        content: (values) => (content.safeParse(values.content).success ? undefined : 'v_complaintContent'),
        email: (values) => (email.safeParse(values.email).success ? undefined : 'v_complaintEmail'),
        orderNo: (values) => (orderNo.safeParse(values.orderNo.trim() || undefined).success ? undefined : 'v_complaintOrder'),
      },
    },
  )
  const { set } = fields
  // The user's address arrives after the form, and never replaces input.
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

const FORM = 'complaint-form'

/** Offers the quicker way first, then the report (product.md 1.2). Visitors never see it: see `gateDialogs` in main.tsx. */
export function ComplaintDialog() {
  const t = useTexts(layerTexts)
  const asked = useDialog('complaint')
  const open = asked !== undefined
  const [reporting, setReporting] = useState(false)
  const [sending, setSending] = useState(false)
  useEffect(() => {
    if (open) setReporting(false)
  }, [open])
  const close = () => closeDialog('complaint')
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t('complaintTitle')}
      description={reporting ? undefined : t('complaintAsk')}
      size={reporting ? 'md' : 'sm'}
      footer={
        reporting ? (
          <Button type="submit" form={FORM} loading={sending}>
            {t('complaintSend')}
          </Button>
        ) : (
          <>
            <Button variant="secondary" onClick={() => setReporting(true)}>
              {t('complaintReport')}
            </Button>
            <Button
              onClick={() => {
                close()
                contactSupport(asked?.orderNo)
              }}
            >
              {t('complaintContact')}
            </Button>
          </>
        )
      }
    >
      {reporting ? (
        <QueryProvider>
          <ComplaintForm id={FORM} orderNo={asked?.orderNo} onBusy={setSending} onDone={close} />
        </QueryProvider>
      ) : null}
    </Dialog>
  )
}
