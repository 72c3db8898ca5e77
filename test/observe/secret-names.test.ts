import { describe, expect, it } from 'vitest';
import { secretName } from '../../src/observe/secret-names.js';

describe('the value of a name', () => {
  it.each([
    ...[
      'password',
      'PGPASSWORD',
      'dbpassword',
      'passwords',
      'apiKey',
      'API_KEY',
      'x-api-key',
      'openai.api.key',
      'api__key',
    ],
    ...[
      'palavraPasse',
      'motDePasse',
      'mot_de_passe',
      'cle_api',
      'cle-privee',
      'clé_api',
      'mật_khẩu',
      'geheimer Schlüssel',
    ],
    ...['hasło', 'łatwe_hasło', 'şifre', 'lösenord', 'contraseña', 'пароль', '密码', 'كلمة المرور', 'كلمةالمرور'],
  ])('is a secret however it looks: %s', (name) => {
    expect(secretName(name)).toBe('strong');
  });

  it.each([
    ...['token', 'auth', 'signature', '-token', 'stripe_key', 'user_key_', 'dead_keys'],
    ...['schlüssel', 'größe_token', 'clave', 'jeton'],
  ])('is a secret if it looks like one: %s', (name) => {
    expect(secretName(name)).toBe('weak');
  });

  it.each([
    ...['', 'x', 'user', 'keyboard', 'monkey', 'passwordless_login', 'größe', 'clé', 'cle_usb'],
    ...['password_length', 'token_count', 'max_tokens', 'secret_name', 'password-policy', 'API_KEY_HINT'],
    ...['key', 'keys', '_key', 'key_id', 'user_key_id', 'primary_key', 'sort-keys', 'cacheKey', 'hotkey'],
  ])('is no secret: %s', (name) => {
    expect(secretName(name)).toBeUndefined();
  });

  it('is not looked at if the name has more than 80 characters', () => {
    expect(secretName(`${'x'.repeat(71)}_password`)).toBe('strong');
    expect(secretName(`${'x'.repeat(72)}_password`)).toBeUndefined();
    expect(secretName('my_password_'.repeat(1_000))).toBeUndefined();
  });
});
