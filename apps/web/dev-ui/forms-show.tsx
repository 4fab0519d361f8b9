import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { CheckboxField } from '#ui/fields/checkbox-field.tsx'
import { CodeField } from '#ui/fields/code-field.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { PasswordField } from '#ui/fields/password-field.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { SwitchField } from '#ui/fields/switch-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { devTexts } from './texts.ts'

export function ButtonsShow() {
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

export function FormsShow() {
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
