import type { RuleRow } from './rules.js';

/**
 * Rules for other languages: German, French, Spanish, Portuguese, Italian, Russian, Chinese, Japanese, Korean. Stems
 * are short on purpose: a German error message that mentions a "Verbindung" is about the connection. Accents are
 * dropped before matching. In Chinese, Japanese and Korean, every character is a word.
 */
export const LANGUAGE_RULES: readonly RuleRow[] = [
  // Too many requests.
  [
    'rate_limit',
    'languages',
    90,
    'zu viele anf*, ratenlimit*, trop .. requetes|demandes, demasiadas, muitas, troppe, слишком много, 频繁, 请求过多, 并发, 限流, 速率, リクエスト数, リクエストが多, レート制限, 太快, 过快, 요청이 너무, 요청 한도, 속도 제한, лимит .. запрос*',
  ],
  // Money, plan or credit.
  [
    'quota_exceeded',
    'languages',
    92,
    'guthaben, kontingent*, quota mensu*, quota depass*, solde, saldo, cuota, cota, credit* insuf*|epuis*|agotad*|esgotad*, недостаточно средств, квот*, 余额, 配额, 额度, 欠费, 充值, 残高, プラン, クォータ, 利用枠, 할당량, 크레딧, 잔액',
  ],
  // Overload.
  [
    'overloaded',
    'languages',
    93,
    'uberlastet, ausgelastet, surcharg*, sobrecar*, sovraccar*, перегруж*, 负载, 过载, 繁忙, 混, 過負荷, 과부하, 혼잡, 访问量, アクセスが集中, アクセス集中, 混み合, 込み合, 접속자가 많, 접속이 많, 排队, 人数过多',
  ],
  // Time-outs.
  [
    'timeout',
    'languages',
    95,
    'zeituberschr*, zeitlimit, delai .. depass*|expir*, depass* .. delai, temps .. depass*|ecoule, tiempo|tempo .. agotad*|excedid*|esgotad*|scadut*|espera|limite, таймаут*, врем* .. истекло|ожидани*, истекло время, 超时, タイムアウト, 時間切れ, 시간 초과, 시간이 초과, 타임아웃, лимит* времени, 응답하지 않, 応答が なく, 応答なし, 未响应, 没有响应, 无响应',
  ],
  // Connection errors.
  [
    'network',
    'languages',
    91,
    'verbindung*, netzwerk*, connexion*, reseau, conexion*, conexao, connessione, соединени*, подключ*, сет*, 连接, 网络, 域名, 接続, ネットワーク, 연결, 네트워크, connett*, conect*, bağlan*, polacz*, polaczen*',
  ],
  // Key, token or password.
  [
    'auth',
    'languages',
    95,
    'api schlussel, anmeld*, authentifi*, passwort, cle api, identifiants, mot passe, jeton, clave api, autentic*, credencia*, contrasena, chave api, senha, chiave api, credenziali, non autorizzat*, no autorizad*, ключ*, авториз*, аутентиф*, пароль, 密钥, 认证, 鉴权, 未授权, 令牌, 身份, 登录, 認証, apiキー, ログイン, 인증, 로그인, key 未, iniciar|inicie|inicia sesion|sessao, sesion|sessao|session|sessione .. valida|expirad*|caducad*|expiree|scaduta, reconnect* vous',
  ],
  // Permission denied.
  [
    'permission',
    'languages',
    92,
    'zugriff*, berechtig*, acces refus*|interdit, droits, pas autoris*, acceso .. denegado, permiso*, acesso .. negado, permissao, accesso .. negato, permesso, доступ*, прав, 权限, 无权, 拒绝访问, 禁止, アクセス, 権限, 권한, 접근, uprawnien',
  ],
  // Unknown model.
  [
    'model_not_found',
    'languages',
    98,
    'modell|modele|modelo|modello|модель .. gefunden|exist*|nexiste|introuvable|inconnu|esiste|encontr*|найден*|существ*, 模型 .. 不存|无效|未找, 找不到 .. 模型, モデル .. 見つかり|存在, 모델을 찾을 수, 모델이 존재하지, 无 可用 渠道',
  ],
  // Not found.
  [
    'not_found',
    'languages',
    88,
    'nicht gefunden|vorhanden, existiert nicht, introuvable, nexiste pas, pas trouve, no|nao|non existe|encontr*|esiste|trovat*, не .. найден*|существ*, 不存在, 未找到, 找不到, 見つかり, 存在しま, 찾을 수 없, 존재하지, nie znaleziono',
  ],
  // Text longer than the model's context.
  [
    'context_length',
    'languages',
    97,
    'kontext*, zu lang, contexte, trop long*, contexto, contesto, demasiado larg*, контекст*, слишком длин*, 上下文, 过长, 太长, コンテキスト, 長すぎ, トークン数, 컨텍스트, 너무 깁, 토큰 수',
  ],
  // Empty response.
  [
    'empty_response',
    'languages',
    44,
    'leer*, vide, vaci*, vazi*, vuot*, пуст*, 空响应, 为空, 空的, 空回复, 空の, 空で, 빈 응답, 비어, keine antwort, aucun* texte|reponse|contenu|resultat, ningun* texto|respuesta|contenido, nessun* risposta|testo, nenhum* resposta|texto, kein* text|inhalt|ausgabe',
  ],
  // Not parseable as the expected format.
  [
    'parse_error',
    'languages',
    93,
    'ungultiges json, syntaxfehler, json inval*, inval* json, danalyser, analyser, analizar, sintaxis, sintaxe, sintassi, разобрать, разбор*, синтакс*, 解析, 语法, 格式错误, 構文, パース, 구문, 파싱',
  ],
  // Invalid value.
  [
    'validation',
    'languages',
    90,
    'ungultig* parameter|wert|argument, muss, pflichtfeld, parametre, parametro, champ, campo, doit etre, debe ser, deve ser|essere, недопустим*, параметр*, 参数, 缺少, 必填, 校验, パラメータ, 必須, 매개변수, 유효하지, 必须, abgelehnt, rechazad*, recusad*, rifiutat*, отклонен*',
  ],
  // Rejected because of its content.
  [
    'content_filter',
    'languages',
    98,
    'sicherheitsfilter, inhalts*, richtlinie*, filtre, filtro, systeme securite, contenu .. bloqu*, contenid*|conteudo .. bloq*|inap*, фильтр*, контент*, 敏感, 违规, 审核, コンテンツ, 不適切, 콘텐츠, 유해, bloque* .. segur*|conteudo, 不安全',
  ],
  // A tool or command failed.
  [
    'tool_failure',
    'languages',
    60,
    'werkzeug, befehl, outil, loutil, commande, herramienta, comando, ferramenta, strumento, codigo salida|saida, инструмент*, команд*, код* выхода, 命令, 退出码, 工具, コマンド, 終了コード, ツール, 종료 코드, 도구, 명령',
  ],
  // Memory or disk exhausted.
  [
    'resource_exhausted',
    'languages',
    98,
    'speicher*, arbeitsspeicher, memoire, despace, espace disque, memoria, espacio, espaco, spazio, памяти, места, 内存, 显存, 磁盘, 空间, メモリ, 容量, 메모리, 디스크, 공간',
  ],
  // Cancelled by a person or program.
  [
    'cancelled',
    'languages',
    90,
    'abgebrochen, storniert, annul*, interrompu, interrumpid*, отмен*, прерван*, 取消, 中断, キャンセル, 취소, iptal, 终止, 중단, 중지',
  ],
  // Server errors.
  [
    'server_error',
    'languages',
    70,
    'serverfehler, interner fehler, erreur intern*|serv*, error intern*, erro intern*, error .. servidor, erro .. servidor, внутренн*, ошибка сервера, 内部, 服务器, 服务异常, 上游, 暂不可用, サーバー, 서버, 내부',
  ],
];
