import { z } from 'zod'
import { email, newPassword, verifyCode } from '../contract.ts'

/** The contract's rules with text keys as messages (`accountTexts`); one step more than the server: "required" is told apart. */
const emailField = z
  .string()
  .trim()
  .min(1, 'auth_email_required')
  .refine((text) => email.safeParse(text).success, 'auth_email_invalid')
const codeField = z.string().refine((text) => verifyCode.safeParse(text).success, 'auth_code_required')
const newPasswordField = z
  .string()
  .min(1, 'auth_password_required')
  .refine((text) => newPassword.safeParse(text).success, 'auth_password_length')

export const passwordLoginForm = z.object({ email: emailField, password: z.string().trim().min(1, 'auth_password_required') })
export const codeLoginForm = z.object({ email: emailField, verifyCode: codeField })
export const resetForm = z.object({ email: emailField, verifyCode: codeField, password: newPasswordField })
export const registerForm = resetForm.extend({ inviteCode: z.string().trim(), agreed: z.boolean().refine((ticked) => ticked, 'auth_agree_required') })
