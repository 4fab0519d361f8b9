import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { LangSwitch } from '../choices/lang-switch.tsx'
import { ThemeChoice } from '../choices/theme-choice.tsx'
import { ChartShow, DataShow } from './data-show.tsx'
import { StatesShow, TypeShow } from './states-show.tsx'
import { devTexts } from './texts.ts'
import { Button } from '#ui/button.tsx'
import { Countdown } from '#ui/time/countdown.tsx'
import { Meter } from '#ui/figures/meter.tsx'
import { Pips } from '#ui/figures/pips.tsx'
import { Timeline } from '#ui/time/timeline.tsx'
import { RotateCw } from 'lucide-react'
import { CheckboxField } from '#ui/fields/checkbox-field.tsx'
import { CodeField } from '#ui/fields/code-field.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { PasswordField } from '#ui/fields/password-field.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { SwitchField } from '#ui/fields/switch-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { parseUsd, computePercentFee, formatUsd } from '#platform/shared/money.ts'
import { sumUsd, displayUsd } from '#platform/web/money.tsx'
import { CodeBlock } from '#ui/code-block.tsx'
import { QrTile } from '#ui/qr-tile.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { Stamp } from '#ui/stamp.tsx'
import { requestPayPassword } from '#platform/web/state/request-pay-password.ts'
import { withCaptcha } from '#platform/web/calls/captcha.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { confirm } from '#ui/layers/confirm.ts'
import { Dialog } from '#ui/layers/dialog.tsx'
import { Menu } from '#ui/layers/menu.tsx'
import { NativeLayer } from '#ui/layers/native-layer.tsx'
import { Sheet } from '#ui/layers/sheet.tsx'
import { toast } from '#ui/layers/toast.ts'

function LayersShow() {
  const t = useTexts(devTexts)
  const [open, setOpen] = useState<'dialog' | 'sheet' | 'layer'>()
  const close = () => setOpen(undefined)
  return (
    <div className="flex flex-wrap gap-3">
      <Button variant="secondary" onClick={() => setOpen('dialog')}>
        {t('openDialog')}
      </Button>
      <Button variant="secondary" onClick={() => setOpen('sheet')}>
        {t('openSheet')}
      </Button>
      <Button variant="secondary" onClick={() => setOpen('layer')}>
        {t('openLayer')}
      </Button>
      <Button variant="secondary" onClick={() => void confirm({ title: t('confirmTitle'), body: t('confirmBody'), action: t('danger'), danger: true })}>
        {t('openConfirm')}
      </Button>
      <Button variant="secondary" onClick={() => toast.success(t('toastText'))}>
        {t('openToast')}
      </Button>
      <Button variant="secondary" onClick={() => void withCaptcha('security', async () => toast.success(t('toastText')))}>
        {t('openCaptcha')}
      </Button>
      <Button variant="secondary" onClick={() => void requestPayPassword().then((password) => password && toast.success(t('toastText')))}>
        {t('openPayPassword')}
      </Button>
      <Button variant="secondary" onClick={() => openDialog('protocol', { onConfirm: () => toast.success(t('toastText')) })}>
        {t('openAgreement')}
      </Button>
      <Menu
        trigger={<Button variant="secondary">{t('openMenu')}</Button>}
        groups={[[{ key: 'a', label: t('primary'), onSelect: () => undefined }], [{ key: 'b', label: t('danger'), danger: true, onSelect: () => undefined }]]}
      />
      <Dialog
        open={open === 'dialog'}
        onClose={close}
        title={t('dialogTitle')}
        description={t('dialogBody')}
        footer={
          <>
            <Button variant="secondary" onClick={close}>
              {t('secondary')}
            </Button>
            <Button onClick={close}>{t('save')}</Button>
          </>
        }
      >
        <TextField label={t('email')} />
      </Dialog>
      {open === 'layer' ? (
        <NativeLayer labelledBy="layer-title" onClose={close} className="bg-bg p-10 text-fg">
          <h2 id="layer-title">{t('dialogTitle')}</h2>
          <Button className="mt-4" onClick={close}>
            {t('save')}
          </Button>
        </NativeLayer>
      ) : null}
      <Sheet open={open === 'sheet'} onClose={close} title={t('sheetTitle')}>
        {t('dialogBody')}
      </Sheet>
    </div>
  )
}

const amount = '20'
const fee = formatUsd(computePercentFee(parseUsd(amount), '3.5'))

function ReceiptsShow() {
  const t = useTexts(devTexts)
  const [round, setRound] = useState(0)
  const lines = (
    <>
      <ReceiptRow label={t('recharge')} value={displayUsd(amount)} />
      <ReceiptRow label={t('fee')} value={displayUsd(fee)} />
      <ReceiptRow label={t('rate')} value="7.1230" />
      <ReceiptRule />
      <ReceiptRow strong label={t('pay')} value={displayUsd(sumUsd([amount, fee]))} note={t('expire')} />
    </>
  )
  return (
    <div className="grid gap-6">
      <div className="grid items-start gap-6 desktop:grid-cols-3">
        <div className="bg-ink p-6">
          <Receipt label={t('receipt')}>
            {lines}
            <div className="mt-4">
              <Stamp key={round} fresh />
            </div>
          </Receipt>
        </div>
        <Receipt look="inline" label={t('receipt')}>
          {lines}
          <div className="mt-4">
            <Stamp key={round} fresh />
          </div>
        </Receipt>
        <div className="card p-5">
          <Receipt look="flat" label={t('receipt')}>
            {lines}
          </Receipt>
        </div>
      </div>
      <div className="flex flex-wrap gap-6">
        <QrTile state="loading" value={undefined} />
        <QrTile state="active" value="https://example.com/pay/20261120" caption={t('alipay')} />
        <QrTile state="expired" value="https://example.com/pay/20261120" onRefresh={() => setRound(round + 1)} />
        <Button variant="secondary" className="self-start" onClick={() => setRound(round + 1)}>
          {t('refresh')}
        </Button>
      </div>
      <CodeBlock
        label={t('s_receipts')}
        snippets={[
          { id: 'curl', label: 'curl', code: 'curl https://example.com/v1/models' },
          { id: 'py', label: 'Python', code: 'client.models.list()' },
        ]}
      />
    </div>
  )
}

function ButtonsShow() {
  const t = useTexts(devTexts)
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button>{t('primary')}</Button>
      <Button variant="secondary">{t('secondary')}</Button>
      <Button variant="ghost">{t('ghost')}</Button>
      <Button variant="danger">{t('danger')}</Button>
      <Button loading>{t('loading')}</Button>
      <Button disabled>{t('disabled')}</Button>
      <Button size="sm">{t('primary')}</Button>
      <Button size="lg">{t('primary')}</Button>
      <IconButton label={t('refresh')}>
        <RotateCw size={18} strokeWidth={1.75} aria-hidden="true" />
      </IconButton>
      <CopyButton text="gpt-6.2-sol" />
      <CopyButton text="gpt-6.2-sol" iconOnly />
      <span className="on-ink flex flex-wrap gap-3 rounded-card bg-ink p-3">
        <Button variant="ink">{t('ink')}</Button>
        <Button variant="ink-ghost">{t('ghost')}</Button>
      </span>
    </div>
  )
}

function FormsShow() {
  const t = useTexts(devTexts)
  const [code, setCode] = useState('')
  const [isOn, setOn] = useState(true)
  const [channel, setChannel] = useState<'alipay' | 'wechat' | 'card'>('alipay')
  return (
    <div className="grid gap-5 desktop:grid-cols-3">
      <TextField label={t('email')} type="email" placeholder="name@example.com" hint={t('emailHint')} />
      <TextField label={t('email')} type="email" defaultValue="name@" error={t('emailError')} />
      <PasswordField label={t('password')} autoComplete="off" defaultValue="correct horse" />
      <CodeField label={t('code')} value={code} onChange={setCode} />
      <PickField
        label={t('channel')}
        value={channel}
        onChange={setChannel}
        options={[
          { value: 'alipay', label: t('alipay') },
          { value: 'wechat', label: t('wechat') },
          { value: 'card', label: t('card') },
        ]}
      />
      <CheckboxField label={t('agree')} defaultChecked />
      <SwitchField label={t('agree')} checked={isOn} onChange={setOn} />
    </div>
  )
}

/** Limits, counts, countdowns and timelines, each in all its states. */
function ClocksShow() {
  const t = useTexts(devTexts)
  const [start, setStart] = useState(() => Date.now())
  const say = (seconds: number) => t('hidden', { seconds })
  return (
    <div className="grid gap-6">
      <div className="grid gap-5 desktop:grid-cols-4">
        {([0, 412.35, 2600, 3000] as const).map((used) => (
          <Meter key={used} label={t('month')} used={`$${used.toFixed(2)}`} of="$3,000.00" share={used / 3000} note={t('runway')} />
        ))}
      </div>
      <div className="grid gap-5 desktop:grid-cols-4">
        {([0, 2, 5, 10] as const).map((count) => (
          <Pips key={count} label={t('declined')} count={count} of={10} dangerFrom={5} note={t('expire')} />
        ))}
      </div>
      <div className="grid items-center gap-5 desktop:grid-cols-4">
        {([60, 20, 4] as const).map((seconds) => (
          <Countdown key={`${seconds} ${start}`} label={t('code')} until={start + seconds * 1000} of={60} say={say} />
        ))}
        <Button variant="secondary" onClick={() => setStart(Date.now())}>
          {t('refresh')}
        </Button>
      </div>
      <div className="max-w-md">
        <Timeline
          label={t('s_clocks')}
          steps={[
            { key: 'a', state: 'done', text: t('ok'), time: '11-22 14:52', note: t('toastText') },
            { key: 'b', state: 'failed', text: t('fail'), time: '14:53' },
            { key: 'c', state: 'now', text: t('wait'), note: t('runway') },
            { key: 'd', state: 'todo', text: t('info') },
          ]}
        />
      </div>
    </div>
  )
}

const shows = [
  ['s_type', TypeShow],
  ['s_buttons', ButtonsShow],
  ['s_forms', FormsShow],
  ['s_data', DataShow],
  ['s_chart', ChartShow],
  ['s_receipts', ReceiptsShow],
  ['s_clocks', ClocksShow],
  ['s_layers', LayersShow],
  ['s_states', StatesShow],
] as const

/** Every component of the kit, for review and for the accessibility checks. */
export function DevUi() {
  const t = useTexts(devTexts)
  return (
    <main id="main" tabIndex={-1} className="wrap-1200 py-10">
      <header className="flex flex-wrap items-center justify-between gap-4">
        <div>
          <h1 className="text-28">{t('title')}</h1>
          <p className="text-fg-2">{t('lead')}</p>
        </div>
        <div className="flex items-center gap-2">
          <LangSwitch />
          <ThemeChoice />
        </div>
      </header>
      {shows.map(([key, Show]) => (
        <Part key={key} title={t(key)}>
          <Show />
        </Part>
      ))}
    </main>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="mt-12">
      <h2 className="mb-4 border-b border-line pb-2 text-20">{title}</h2>
      {children}
    </section>
  )
}
