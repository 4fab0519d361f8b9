import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { ALARM_SEVERITIES, ALARM_ROUTE_KINDS } from '../../alarms.ts'
import type { AlarmSeverity, AlarmRouteKind } from '../../alarms.ts'
import { openCommand } from '../kit/command/command-store.ts'
import { useOperators } from '../kit/operators.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import { useSignedInOperator } from '../kit/use-me.ts'
import { panelTexts } from './texts.ts'

interface RouteForm {
  readonly operatorId: string
  readonly kind: AlarmRouteKind
  readonly address: string
  readonly severity: AlarmSeverity
  readonly wait: string
  readonly quietFrom: string
  readonly quietTo: string
}

/** Form for a notification route: operator, kind, minimum severity, delay and quiet hours. */
export function AlarmRouteForm({ escalateMinutes, onClose }: { readonly escalateMinutes: number; readonly onClose: () => void }) {
  const t = useTexts(panelTexts)
  const { data: me } = useSignedInOperator()
  const { data } = useOperators()
  const [form, setForm] = useState<RouteForm>({ operatorId: '', kind: 'mail', address: '', severity: 'serious', wait: '0', quietFrom: '', quietTo: '' })
  const put = (patch: Partial<RouteForm>) => setForm((old) => ({ ...old, ...patch }))
  const operatorId = form.operatorId || (me?.id ?? '')
  const isWhole =
    /^\d{1,4}$/.test(form.wait) &&
    (form.kind === 'mail' || form.address.trim() !== '') &&
    (form.quietFrom === '') === (form.quietTo === '') &&
    operatorId !== ''
  const ask = () => {
    const { wait, kind, severity, quietFrom, quietTo } = form
    openCommand({
      name: 'alarm.tell',
      input: { operatorId, kind, severity, address: kind === 'mail' ? '' : form.address.trim(), waitMinutes: Number(wait), quietFrom, quietTo },
      about: data?.operators.find(({ id }) => id === operatorId)?.name,
    })
    onClose()
  }
  return (
    <Dialog
      open
      size="sm"
      title={t('formTitle')}
      onClose={onClose}
      footer={
        <Button size="lg" disabled={!isWhole} onClick={ask}>
          {t('next')}
        </Button>
      }
    >
      <AlarmRouteFields form={{ ...form, operatorId }} put={put} escalateMinutes={escalateMinutes} />
    </Dialog>
  )
}

interface FieldsProps {
  readonly form: RouteForm
  readonly put: (patch: Partial<RouteForm>) => void
  readonly escalateMinutes: number
}

function AlarmRouteFields({ form, put, escalateMinutes }: FieldsProps) {
  const t = useTexts(panelTexts)
  const say = useConsoleFormatter()
  const { data } = useOperators()
  return (
    <div className="grid grid-cols-1 gap-3">
      <PickField
        label={t('who')}
        value={form.operatorId}
        onChange={(id) => put({ operatorId: id })}
        options={(data?.operators ?? []).filter(({ status }) => status === 'active').map(({ id, name }) => ({ value: id, label: name }))}
      />
      <PickField
        label={t('kind')}
        value={form.kind}
        hint={form.kind === 'mail' ? t('mailHint') : undefined}
        onChange={(kind) => put({ kind, address: '' })}
        options={ALARM_ROUTE_KINDS.map((value) => ({ value, label: say.value(value) }))}
      />
      {form.kind === 'mail' ? null : (
        <TextField
          label={t(form.kind === 'sms' ? 'address' : 'url')}
          hint={t(form.kind === 'sms' ? 'addressHint' : 'urlHint')}
          value={form.address}
          maxLength={500}
          className="num"
          autoComplete="off"
          inputMode={form.kind === 'sms' ? 'tel' : 'url'}
          onChange={(event) => put({ address: event.target.value })}
        />
      )}
      <PickField
        label={t('severity')}
        value={form.severity}
        onChange={(severity) => put({ severity })}
        options={ALARM_SEVERITIES.map((value) => ({ value, label: say.value(value) }))}
      />
      <TextField
        label={t('wait')}
        className="num"
        inputMode="numeric"
        maxLength={4}
        value={form.wait}
        onChange={(event) => put({ wait: event.target.value })}
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField label={t('quietFrom')} type="time" value={form.quietFrom} onChange={(event) => put({ quietFrom: event.target.value })} />
        <TextField label={t('quietTo')} type="time" value={form.quietTo} onChange={(event) => put({ quietTo: event.target.value })} />
      </div>
      <p className="text-12 text-fg-3">{t('quietHint', { n: escalateMinutes })}</p>
    </div>
  )
}
