/**
 * What `checkRule` knows of requests in languages other than English: one row for each language and kind of request. A second
 * line, as the English one is: words and their nearness, no meaning. German, French, Spanish, Portuguese, Italian, Russian,
 * Chinese, Japanese, Korean. `foreign-request.ts` reads it.
 */
export type Request = 'set aside' | 'who speaks' | 'give away' | 'destroy' | 'grant';

/** `spaced`: words with blanks between them. `dense`: blanks tell nothing, or are put where one likes. */
type Kind = 'spaced' | 'dense';

export interface Language {
  readonly kind: Kind;
  /** Makes of the word that follows (`spaced`) or precedes (`dense`) something that is talked about: `before deleting`. */
  readonly mention: string;
  readonly rows: readonly Row[];
}

/**
 * Words are set apart by blanks and written as people write them; `*` is any ending, `_` a blank. In `spaced` languages at most
 * four words stand between those of `words` and `of`, in `dense` ones at most ten characters.
 */
export interface Row {
  readonly request: Request;
  readonly words: string;
  /** The request is made only when one of these is near. */
  readonly of?: string;
  /** Where `of` stands. Default `after`: also past a comma. The others stay within a clause. */
  readonly order?: 'after' | 'after, in its clause' | 'before' | 'around';
  /** How many words or characters may stand in between, where it is not that many. */
  readonly near?: number;
}

const GERMAN: Language = {
  kind: 'spaced',
  mention: 'vor_dem nach_dem beim zum',
  rows: [
    {
      request: 'set aside',
      words:
        'ignorier* missacht* vergesst vergessen umgeh umgehe umgehen umgehst umgeht umgangen aushebel* deaktivier* unterdrück* übergeh übergehe übergehen übergeht widersetz* hebel*_aus setz*_außer_kraft außer_kraft_setz* außer_acht* tu_so_als',
    },
    {
      request: 'set aside',
      words: 'vergiss',
      of: 'alle* jede* deine* die das diese* was',
      order: 'after, in its clause',
      near: 0,
    },
    {
      request: 'set aside',
      words: 'ohne überspring* unterlass* verzicht* spar spare keine keinen kein keinerlei',
      of: 'frag* nachfrag* nachzufrag* zu_fragen rückfrag* bestätig* freigab* genehmig* erlaubnis zustimmung einwilligung prüf* überprüf* kontroll* test tests testen testlauf sicherheits* schutz* regel regeln richtlinie* vorschrift* anweisung* protokollier* bescheid meld* bericht*',
      order: 'after, in its clause',
    },
    {
      request: 'set aside',
      words: 'nicht nie niemals',
      of: 'fragen nachfragen prüfen überprüfen bestätigen testen melden protokollieren',
      order: 'after, in its clause',
      near: 1,
    },
    {
      request: 'set aside',
      words:
        'frag_nicht frage_nicht fragt_nicht frage_nie frage_niemand* prüf_nichts? prüfe_nichts? prüfe_nie teste_nichts? teste_nie melde_nicht melde_nichts melde_nie lass_(?:die|alle|jede)_(?:tests?|prüfung*|freigabe*|rückfrage*)_(?:weg|aus)',
    },
    {
      request: 'set aside',
      words: 'schalt* stell* abschalt* ausschalt* abstell*',
      of: 'prüf* sicherheits* schutz* test tests freigab* genehmig* regel* protokoll* überwach* kontroll* sperre*',
      order: 'around',
    },
    {
      request: 'who speaks',
      words:
        'du_bist_jetzt sie_sind_jetzt du_bist_ab_jetzt du_bist_nun systemprompt system_prompt systemnachricht neue_anweisung* vorherige*_anweisung* bisherige*_anweisung* obige*_anweisung* frühere*_anweisung* entwicklermodus administratormodus',
    },
    {
      request: 'give away',
      words:
        'send sende sendet senden schick schicke schickt schicken verschick* versend* leite leitet übermittle* übermitteln teile verrat* verrät zeig zeige zeigt zeigen veröffentlich* poste hochlad* weiterleit* weitergeb* herausgeb* preisgeb* offenleg* ausgeb*',
      of: 'passwort passwörter* kennwort kennwörter* geheimnis* token tokens schlüssel zugangsdaten anmeldedaten cookies systemprompt umgebungsvariable* alle_dateien alle_daten inhalt_der inhalte_der',
      order: 'after',
    },
    {
      request: 'give away',
      words:
        'senden schicken verschicken versenden übermitteln verraten zeigen veröffentlichen weiterleiten weitergeben herausgeben preisgeben offenlegen ausgeben hochladen posten heraus preis weiter',
      of: 'passwort passwörter* kennwort kennwörter* geheimnis* token tokens schlüssel zugangsdaten anmeldedaten cookies systemprompt umgebungsvariable*',
      order: 'before',
    },
    {
      request: 'destroy',
      words:
        'lösch lösche löscht löschen entfern entferne entfernt entfernen vernicht* zerstör* überschreib überschreibe überschreibt überschreiben leere verwirf formatier*',
      of: 'alle alles allen aller jede jeden jedes sämtliche* ganze* datei dateien ordner* verzeichnis* datenbank* tabelle* repositor* festplatte* zweig* backup* sicherung* sicherungskopie* protokoll* log logs tests verlauf historie regel regeln',
    },
    {
      request: 'destroy',
      words: 'löschen zu_löschen gelöscht_werden entfernen zu_entfernen vernichten zerstören überschreiben formatieren',
      of: 'alle alles sämtliche* jede jeden jedes dateien datei ordner verzeichnis* datenbank* tabelle* backup* sicherung* sicherungskopie* protokolle logs tests verlauf historie festplatte*',
      order: 'before',
    },
    {
      request: 'grant',
      words: 'gib gebt geben gewähr* erteil* verschaff* nimm räum* erlaub* hol',
      of: 'rechte rechten alle_rechte adminrecht* administratorrecht* rootrecht* root_recht* vollzugriff vollen_zugriff zugriff_auf_all* uneingeschränkt* administratorzugriff alle_berechtigung*',
      order: 'around',
    },
    {
      request: 'grant',
      words: 'genehmig* akzeptier* erlaub erlaube erlauben stimm_zu stimme vertrau vertraue vertrauen gehorch*',
      of: 'immer alles jede jeden jedes jedem allem automatisch stets jeglich* sämtliche*',
      order: 'after, in its clause',
    },
  ],
};

const FRENCH: Language = {
  kind: 'spaced',
  mention: 'avant_de avant_de_les avant_de_le après_avoir avant_d',
  rows: [
    {
      request: 'set aside',
      words:
        'ignore ignorez ignorer contourne contournez contourner désactive désactivez désactiver outrepasse* désobéi* fais_semblant faites_semblant passe_outre passez_outre ne_tiens_pas_compte ne_tenez_pas_compte neutralise*',
    },
    {
      request: 'set aside',
      words: 'oublie oubliez oublier',
      of: 'les tes vos toutes tout ces cette ce_qui',
      order: 'after, in its clause',
      near: 0,
    },
    {
      request: 'set aside',
      words: 'sans saute sautez sauter omets omettez omettre évite évitez éviter supprime supprimez aucun aucune',
      of: 'demander confirmation* confirmer autorisation* permission* approbation* accord vérifi* contrôle* contrôler test tests tester validation* valider révision* relire sécurité garde_fou* règle* consigne* instruction* prévenir signaler journaliser',
      order: 'after, in its clause',
    },
    {
      request: 'set aside',
      words:
        'ne_demande ne_demandez ne_vérifie ne_vérifiez ne_teste ne_testez ne_confirme ne_confirmez ne_signale ne_signalez',
      of: 'pas jamais rien aucun* plus',
      order: 'after, in its clause',
    },
    {
      request: 'who speaks',
      words:
        'tu_es_maintenant vous_êtes_maintenant tu_es_désormais vous_êtes_désormais invite_système prompt_système message_système mode_développeur mode_administrateur nouvelles_instructions nouvelles_consignes instructions_précédentes consignes_précédentes',
    },
    {
      request: 'give away',
      words:
        'envoie envoies envoyez envoyer transmets transmettez transmettre révèle révélez révéler divulgue* montre montrez montrer affiche affichez afficher publie publiez publier partage partagez partager communique communiquez copie expédie donne donnez',
      of: 'mot_de_passe mots_de_passe secret secrets jeton jetons clé clés identifiant identifiants cookies prompt invite variables_d_environnement tous_les_fichiers toutes_les_données le_contenu_de contenu_des',
    },
    {
      request: 'destroy',
      words:
        'supprime supprimez supprimer efface effacez effacer détrui* écrase écrasez écraser videz vider formate formatez formater élimine éliminez',
      of: 'tout tous toute toutes chaque fichier fichiers dossier* répertoire* base_de_données bases_de_données table tables dépôt* disque* branche* sauvegarde* journal journaux logs historique règle* tests',
    },
    {
      request: 'grant',
      words:
        'donne donnez donner accorde accordez accorder octroie octroyez octroyer attribue attribuez attribuer arroge* prends prenez',
      of: 'tous_les_droits tous_les_accès droits_d_admin* droits_admin* droits_root droits_complets accès_complet accès_total accès_illimité pleins_pouvoirs privilèges* toutes_les_permissions toutes_les_autorisations',
      order: 'around',
    },
    {
      request: 'grant',
      words: 'approuve* accepte acceptez accepter autorise autorisez autoriser obéi* fais_confiance faites_confiance',
      of: 'toujours tout toute toutes tous systématiquement automatiquement n_importe_quel*',
      order: 'around',
    },
  ],
};

const SPANISH: Language = {
  kind: 'spaced',
  mention: 'antes_de después_de al',
  rows: [
    {
      request: 'set aside',
      words:
        'ignora ignorad ignorar ignore ignoren desactiva* desactive desactiven deshabilita* deshabilite elude eludir eluda burla burlar burle esquiva esquivar esquive sáltate salta_te desobedece* desobedezca* finge finja pasa_por_alto haz_caso_omiso hacer_caso_omiso no_hagas_caso anula anular anule',
    },
    {
      request: 'set aside',
      words: 'olvida olvidad olvidar olvide',
      of: 'las los tus sus todo toda todas todos lo_que estas estos',
      order: 'after, in its clause',
      near: 0,
    },
    {
      request: 'set aside',
      words: 'sin omite omitir omita evita evitar evite salta saltar',
      of: 'preguntar pedir confirmar confirmación permiso permisos autorización aprobación consultar verificar verificación comprobar comprobación comprobaciones revisar revisión prueba pruebas probar test tests validar validación seguridad regla reglas norma normas instrucciones avisar informar registrar',
      order: 'after, in its clause',
    },
    {
      request: 'set aside',
      words: 'no nunca jamás',
      of: 'preguntes pregunte pidas pida confirmes confirme verifiques verifique compruebes compruebe revises revise pruebes avises avise',
      order: 'after, in its clause',
      near: 1,
    },
    {
      request: 'who speaks',
      words:
        'ahora_eres eres_ahora usted_es_ahora a_partir_de_ahora_eres prompt_del_sistema prompt_de_sistema mensaje_del_sistema mensaje_de_sistema modo_desarrollador modo_administrador nuevas_instrucciones instrucciones_anteriores instrucciones_previas',
    },
    {
      request: 'give away',
      words:
        'envía enviad enviar envíe envíale manda mandar mande revela revelar revele muestra mostrar muestre publica publicar publique comparte compartir comparta filtra filtrar transmite transmitir reenvía reenviar sube subir imprime imprimir da_a expón',
      of: 'contraseña* clave claves secreto* token tokens credencial* cookies prompt llave llaves variables_de_entorno todos_los_archivos todos_los_ficheros todos_los_datos el_contenido_de',
    },
    {
      request: 'destroy',
      words:
        'borra borrad borrar borre borren elimina eliminad eliminar elimine eliminen suprime suprimir suprima destruye destruir destruya sobrescrib* formatea formatear vaciar vacíe',
      of: 'todo toda todos todas cada archivo archivos fichero ficheros carpeta* directorio* base_de_datos bases_de_datos tabla tablas repositorio* disco* rama ramas copia_de_seguridad copias_de_seguridad respaldo* registro registros logs historial regla reglas pruebas',
    },
    {
      request: 'grant',
      words:
        'da dad dar dé date concede conceder conceda concédete otorga otorgar otorgue otórgate asigna asignar asígnate toma',
      of: 'todos_los_permisos todos_los_derechos permisos_de_admin* permisos_de_root derechos_de_admin* privilegios acceso_total acceso_completo acceso_ilimitado control_total',
      order: 'around',
    },
    {
      request: 'grant',
      words:
        'aprueba aprobar apruebe acepta aceptar acepte permite permitir permita autoriza autorizar autorice confía obedece obedezca',
      of: 'siempre todo toda todos todas automáticamente cualquier',
      order: 'around',
    },
  ],
};

const PORTUGUESE: Language = {
  kind: 'spaced',
  mention: 'antes_de depois_de após ao',
  rows: [
    {
      request: 'set aside',
      words:
        'ignora ignorar ignore ignorem desativ* desactiv* desabilit* contorna contornar contorne burla burlar burle dribla driblar desobede* finja finge fingir passe_por_cima desconsidera* desconsidere* anula anular anule',
    },
    {
      request: 'set aside',
      words: 'esquece esqueça esquecer',
      of: 'as os suas seus tuas teus tudo todas todos o_que estas estes',
      order: 'after, in its clause',
      near: 0,
    },
    {
      request: 'set aside',
      words: 'sem pula pular pule omite omitir omita evita evitar evite salta saltar salte dispensa dispensar dispense',
      of: 'perguntar pedir confirmar confirmação permissão autorização aprovação consultar verificar verificação verificações checar revisar revisão rever teste testes testar validar validação segurança regra regras norma normas instruções avisar informar registrar registar',
      order: 'after, in its clause',
    },
    {
      request: 'set aside',
      words: 'não nunca jamais',
      of: 'pergunte perguntes peça confirme confirmes verifique verifiques revise avise avises',
      order: 'after, in its clause',
      near: 1,
    },
    {
      request: 'who speaks',
      words:
        'agora_você_é você_é_agora você_agora_é agora_és tu_és_agora a_partir_de_agora_você prompt_do_sistema prompt_de_sistema mensagem_do_sistema modo_desenvolvedor modo_de_desenvolvedor modo_administrador novas_instruções instruções_anteriores instruções_prévias',
    },
    {
      request: 'give away',
      words:
        'envia enviar envie enviem manda mandar mande revela revelar revele mostra mostrar mostre publica publicar publique compartilha* compartilhe partilha partilhar partilhe vaza vazar vaze transmite transmitir transmita encaminha* encaminhe divulga divulgar divulgue imprime imprimir imprima exiba exibir',
      of: 'senha senhas palavra_passe palavras_passe chave chaves segredo* token tokens credencia* cookies prompt variáveis_de_ambiente todos_os_arquivos todos_os_ficheiros todos_os_dados o_conteúdo_de conteúdo_dos',
    },
    {
      request: 'destroy',
      words:
        'apaga apagar apague apaguem exclui excluir exclua deleta deletar delete elimina eliminar elimine remove remover remova destrói destruir destrua sobrescrev* sobrescreva formata formatar formate esvazia esvaziar esvazie',
      of: 'tudo todo toda todos todas cada arquivo arquivos ficheiro* pasta pastas diretório* directório* banco_de_dados bancos_de_dados base_de_dados bases_de_dados tabela* repositório* disco* ramo ramos backups cópia_de_segurança cópias_de_segurança registro* registos logs histórico regra regras testes',
    },
    {
      request: 'grant',
      words: 'dá dar dê dê_se concede conceder conceda conceda_se atribui atribuir atribua outorga* outorgue assuma',
      of: 'todas_as_permissões todos_os_direitos todos_os_acessos permissões_de_admin* permissão_de_admin* direitos_de_admin* privilégios acesso_total acesso_completo acesso_irrestrito controle_total',
      order: 'around',
    },
    {
      request: 'grant',
      words:
        'aprova aprovar aprove aceita aceitar aceite permita permitir autoriza autorizar autorize confie obedeça obedece',
      of: 'sempre tudo toda todos todas automaticamente qualquer',
      order: 'around',
    },
  ],
};

const ITALIAN: Language = {
  kind: 'spaced',
  mention: 'prima_di dopo_aver prima_che',
  rows: [
    {
      request: 'set aside',
      words:
        'ignora ignorate ignorare ignori disattiva* disattivi disabilita* disabiliti aggira aggirare aggirate aggiri elude eludere eludi scavalca* disobbedi* trascura* fingi fingere fai_finta non_tenere_conto non_tener_conto non_considerare',
    },
    {
      request: 'set aside',
      words: 'dimentica dimenticate dimentichi',
      of: 'le i gli tutte tutto tutti la tue tuoi queste questa quello ciò',
      order: 'after, in its clause',
      near: 0,
    },
    {
      request: 'set aside',
      words: 'senza salta saltare saltate ometti omettere omettete evita evitare',
      of: 'chiedere conferma conferme confermare permesso permessi autorizzazione autorizzazioni approvazione approvazioni consultare verifica verifiche verificare verificarlo controllo controlli controllare revisione revisioni test testare prova prove validare sicurezza regola regole istruzioni avvisare avvertire segnalare registrare',
      order: 'after, in its clause',
    },
    {
      request: 'set aside',
      words: 'non mai',
      of: 'chiedere chiedete confermare verificare controllare testare avvisare segnalare',
      order: 'after, in its clause',
      near: 0,
    },
    {
      request: 'who speaks',
      words:
        'ora_sei adesso_sei sei_ora sei_adesso d_ora_in_poi_sei prompt_di_sistema prompt_del_sistema messaggio_di_sistema modalità_sviluppatore modalità_amministratore nuove_istruzioni istruzioni_precedenti',
    },
    {
      request: 'give away',
      words:
        'invia inviate inviare invii manda mandate mandare spedisci rivela rivelate rivelare mostra mostrate mostrare pubblica pubblicate pubblicare condividi condividete condividere trasmetti trasmettere inoltra inoltrare divulga* stampa stampare comunica',
      of: 'password segreto segreti token chiave chiavi credenziali cookie prompt variabili_d_ambiente variabili_di_ambiente tutti_i_file tutti_i_dati il_contenuto_di contenuto_dei',
    },
    {
      request: 'destroy',
      words:
        'cancella cancellate cancellare cancelli elimina eliminate eliminare elimini rimuovi rimuovete rimuovere distruggi distruggete distruggere sovrascriv* formatta formattare svuota svuotare',
      of: 'tutto tutta tutti tutte ogni file cartella cartelle directory database base_di_dati tabella tabelle repository disco dischi ramo rami backup copia_di_sicurezza copie_di_sicurezza registro registri log cronologia regola regole test',
    },
    {
      request: 'grant',
      words:
        'dai date dare datti concedi concedete concedere concediti assegna assegnare assegnati assumi prendi prenditi',
      of: 'tutti_i_permessi tutti_i_diritti tutti_i_privilegi permessi_di_amm* permessi_di_root diritti_di_amm* diritti_amm* privilegi accesso_completo accesso_totale accesso_illimitato pieno_controllo',
      order: 'around',
    },
    {
      request: 'grant',
      words:
        'approva approvate approvare accetta accettate accettare consenti consentire permetti permettere autorizza autorizzare fidati obbedisci ubbidisci',
      of: 'sempre tutto tutta tutti tutte ogni automaticamente qualsiasi qualunque',
      order: 'around',
    },
  ],
};

const RUSSIAN: Language = {
  kind: 'spaced',
  mention: 'перед_тем_как прежде_чем до_того_как',
  rows: [
    {
      request: 'set aside',
      words:
        'игнорир* проигнорир* (?<!не_)забудь* отключ* выключ* обойди* обходи* деактивир* не_обращай* не_соблюдай* нарушай* притворись притворяйся',
    },
    {
      request: 'set aside',
      words: 'без пропуст* пропускай*',
      of: 'спроса подтвержд* разрешени* одобрени* согласи* проверк* тестов теста тесты безопасност* правил правила инструкц* предупрежд*',
      order: 'after, in its clause',
    },
    {
      request: 'set aside',
      words: 'не никогда_не',
      of: 'спрашивай* спрашивая проверяй* проверяя тестируй* подтверждай* сообщай* предупреждай*',
      order: 'after, in its clause',
      near: 1,
    },
    {
      request: 'who speaks',
      words:
        'теперь_ты ты_теперь вы_теперь отныне_ты системный_промпт системное_сообщение режим_разработчика режим_администратора новые_инструкции предыдущие_инструкции предыдущих_инструкц*',
    },
    {
      request: 'give away',
      words:
        'отправь* отправля* отправить пошли* перешли* передай* передать раскрой* раскрыть покажи* показать опубликуй* выложи* выведи* сообщи*',
      of: 'пароль пароли паролей секрет* токен* ключ ключи ключей cookie промпт учетные_данные переменные_окружения все_файлы все_данные содержимое_файл*',
    },
    {
      request: 'destroy',
      words: 'удали удалите удаляй* удалить сотри* стереть стирай* уничтож* очисти* перезапиши* отформатируй*',
      of: 'все всё всех каждый каждую любые файл файлы файлов папк* каталог* баз* таблиц* репозитори* диск* ветк* резервн* бэкап* журнал* лог логи логов истори* правил* тест* данные',
      order: 'around',
    },
    {
      request: 'grant',
      words: 'дай дайте дать предоставь* предоставить выдай* выдать присвой* получи',
      of: 'все_права полные_права права_админ* права_root полный_доступ неограниченн* доступ_ко_всем*',
      order: 'around',
    },
    {
      request: 'grant',
      words: 'одобряй* одобри* принимай* разрешай* разреши* соглашайся доверяй* подчиняйся',
      of: 'всегда все всё любой любые любую автоматически каждый',
      order: 'around',
    },
  ],
};

const CHINESE: Language = {
  kind: 'dense',
  // `当前` and `目前` hold the same character and mean now.
  mention: '[^,。,]{0,10}(?:之前|以前|(?<![当當目提])前|时|時|的时候|的時候)(?=[,,、先请請必须須应應要需一])',
  rows: [
    {
      request: 'set aside',
      words:
        '忽略 无视 無視 禁用 停用 绕过 繞過 规避 規避 关闭安全 關閉安全 关闭检查 违反规则 假装 假裝 不要理会 不理会 不必理会 不要遵守 不遵守 不必遵守 抛开 拋開',
    },
    {
      request: 'set aside',
      words: '(?<!不要|别|別|勿|不能|不可)忘记 (?<!不要|别|別|勿|不能|不可)忘記 (?<!不要|别|別|勿|不能|不可)忘掉',
    },
    {
      request: 'set aside',
      words: '无需 無需 不必 不用 不需要 不需 跳过 跳過 省略 未经 未經 不经 不經 取消 关闭 關閉',
      of: '询问 詢問 请示 請示 确认 確認 审批 審批 批准 许可 許可 授权 授權 同意 检查 檢查 测试 測試 验证 驗證 核对 核對 审核 審核 审查 審查 安全 规则 規則 报告 報告 通知 记录日志',
      order: 'after, in its clause',
      near: 6,
    },
    {
      request: 'set aside',
      words: '不要 不得 勿 别 別 从不 從不',
      of: '询问 詢問 再问 再問 请示 請示 确认 確認 检查 檢查 测试 測試 验证 驗證 审批 審批 报告 報告 告诉用户 向用户确认 向使用者確認 向用户询问',
      order: 'after, in its clause',
      near: 0,
    },
    {
      request: 'who speaks',
      words:
        '你现在是 你現在是 从现在起你 從現在起你 系统提示词 系統提示詞 系统提示 系統提示 系统消息 系統訊息 开发者模式 開發者模式 管理员模式 管理員模式 新的指令 新指令 之前的指令 以上指令 先前的指令',
    },
    {
      request: 'give away',
      words:
        '发送 發送 发给 發給 传给 傳給 上传 上傳 转发 轉發 透露 泄露 洩露 公开 公開 输出 輸出 打印 列印 显示 顯示 提交给 告诉',
      of: '密码 密碼 口令 密钥 密鑰 金钥 令牌 凭证 憑證 凭据 机密 機密 秘密 提示词 提示詞 环境变量 環境變數 所有文件 全部文件 所有数据 文件内容',
      order: 'around',
    },
    {
      request: 'destroy',
      words: '删除 刪除 删掉 刪掉 清空 清除 抹掉 抹除 销毁 銷毀 格式化 移除',
      of: '所有 全部 一切 任何 每个 每個 整个 整個 文件 檔案 目录 目錄 文件夹 資料夾 数据 數據 資料 备份 備份 日志 日誌 分支 仓库 倉庫 历史 歷史 数据表 資料表 磁盘 磁碟 硬盘 硬碟 规则 規則 测试 測試',
    },
    {
      request: 'destroy',
      words: '删除 刪除 删掉 刪掉 清空 清除 抹掉 抹除 销毁 銷毀 格式化 移除',
      of: '把 将 將 所有 全部 一切',
      order: 'before',
    },
    { request: 'destroy', words: '覆盖 覆蓋', of: '文件 檔案 备份 備份 数据 資料', near: 4 },
    {
      request: 'grant',
      words: '授予 给予 給予 赋予 賦予 获取 獲取 提供 开放 開放 授权 授權',
      of: '所有权限 所有權限 全部权限 全部權限 完全权限 完全權限 管理员权限 管理員權限 最高权限 最高權限 完全访问 完全控制 root权限 不受限制',
      order: 'around',
    },
    {
      request: 'grant',
      words: '总是(?!不) 總是(?!不) 始终(?!不) 始終(?!不) 一律(?!不) 自动 自動 永远(?!不) 永遠(?!不) 无条件 無條件',
      of: '批准 同意 接受 允许 允許 信任 服从 服從 听从 聽從',
      order: 'after, in its clause',
      near: 4,
    },
  ],
};

const JAPANESE: Language = {
  kind: 'dense',
  mention:
    '(?:を?(?:する|した|しようとする|の|を行う)?(?:前(?!回)|まえ|際|場合|とき|時(?!間))|(?:する|しても?(?:よい|いい|良い)|すべき)か(?:どうか|を|、))',
  rows: [
    {
      request: 'set aside',
      words:
        '無視し 無視する 無視せよ 忘れて 忘れろ 忘れよ 忘れなさい 忘れること 無効にし 無効にする 無効化し 無効化する 回避し 回避する 迂回し 迂回する すり抜け ふりをし ふりをする 従わない 従うな 守らない 守るな バイパス',
    },
    {
      request: 'set aside',
      words: '省略 省い 省く スキップ 飛ばし 飛ばす',
      of: '確認 承認 許可 同意 検証 検査 テスト レビュー チェック 審査 報告 通知 質問',
      order: 'before',
      near: 6,
    },
    {
      request: 'set aside',
      words:
        'せずに しないで するな なしで なしに 無しで 無しに (?<!で)なく(?!な) 得ずに 得ないで 取らずに 待たずに 求めずに 不要 やめ を止め を停止 をオフに を切 必要はな',
      of: '確認 承認 許可 同意 検証 検査 テスト レビュー チェック 審査 安全対策 ルール 規則 報告 通知 質問',
      order: 'before',
      near: 2,
    },
    { request: 'set aside', words: '尋ねずに 聞かずに 断らずに 相談せずに 問い合わせずに' },
    {
      request: 'who speaks',
      words:
        'あなたは今 あなたはこれから 今からあなた これからあなた システムプロンプト システムメッセージ 開発者モード 管理者モード 新しい指示 以前の指示 前の指示 これまでの指示 上記の指示',
    },
    {
      request: 'give away',
      words:
        '送信 送っ 送る 送れ 送り 転送 共有 公開 表示し 表示する 見せ 漏らし 漏洩 渡し 渡す 教え 投稿 アップロード 出力し 出力する',
      of: 'パスワード 秘密 機密 トークン 鍵 APIキー 認証情報 資格情報 クッキー プロンプト 環境変数 すべてのファイル 全てのファイル ファイルの内容',
      order: 'before',
    },
    {
      request: 'destroy',
      words: '削除 消去 消し 消す 消せ 抹消 破棄 破壊 初期化 上書き フォーマット',
      of: 'すべて 全て 全部 全ての あらゆる 一切 ファイル フォルダ ディレクトリ データ データベース テーブル リポジトリ ディスク ブランチ バックアップ (?<!プ)ログ(?!イン) 履歴 ルール テスト',
      order: 'before',
      near: 6,
    },
    {
      request: 'grant',
      words: '与え 付与 許可し 許可する 取得し 取得する 渡し',
      of: 'すべての権限 全ての権限 全権限 管理者権限 ルート権限 root権限 フルアクセス 無制限 完全なアクセス',
      order: 'before',
    },
    {
      request: 'grant',
      words: '常に 必ず すべて 全て 自動的に 自動で 無条件に 何でも',
      of: '承認し(?!な) 承認する 受け入れ 許可し(?!な) 許可する 信頼し(?!な) 信頼する',
      order: 'after, in its clause',
    },
    {
      request: 'grant',
      words: '無条件に 何でも 何にでも どんな指示にも',
      of: '従う 従え 従い 従って',
      order: 'after, in its clause',
    },
  ],
};

const KOREAN: Language = {
  kind: 'dense',
  mention: '(?:하|할|하려|를|을)?(?:기전|전에|때|경우|는지)',
  rows: [
    {
      request: 'set aside',
      words:
        '무시하 무시해 무시할것 잊어라 잊어버 잊으세요 비활성화하 비활성화해 우회하 우회해 따르지마 따르지않 지키지마 척하 척해',
    },
    {
      request: 'set aside',
      words: '생략 건너뛰 건너뛴',
      of: '확인 승인 허가 허락 동의 검증 검사 검토 테스트 점검 보고 알림 질문',
      order: 'before',
      near: 6,
    },
    {
      request: 'set aside',
      words: '없이 하지말 하지않고 받지않고 받지말 끄세요 끄고 꺼라 필요없',
      of: '확인 승인 허가 허락 동의 검증 검사 검토 테스트 점검 보안 안전장치 규칙 지침 보고 알림 질문',
      order: 'before',
      near: 2,
    },
    { request: 'set aside', words: '묻지말 묻지않고 물어보지말 물어보지않고' },
    {
      request: 'who speaks',
      words:
        '너는이제 당신은이제 이제너는 이제당신은 시스템프롬프트 시스템메시지 개발자모드 관리자모드 새로운지시 새지시 이전지시 이전의지시 위의지시',
    },
    {
      request: 'give away',
      words: '보내 전송 전달 공개 공유 유출 노출 출력하 출력해 보여주 보여줘 알려주 알려줘 업로드 게시',
      of: '비밀번호 암호 비밀 토큰 인증키 api키 자격증명 인증정보 쿠키 프롬프트 환경변수 모든파일 모든데이터 파일내용',
      order: 'before',
    },
    {
      request: 'destroy',
      words: '삭제 지우 지워 제거 파기 파괴 초기화 포맷 덮어쓰 덮어써',
      of: '모든 전부 모두 전체 파일 폴더 디렉터리 디렉토리 데이터 테이블 저장소 디스크 브랜치 백업 (?<!프)로그(?!인|램) 기록 이력 규칙 테스트',
      order: 'before',
      near: 6,
    },
    {
      request: 'grant',
      words: '부여 주어라 주세요 줘 획득 허용 가져',
      of: '모든권한 전체권한 관리자권한 루트권한 root권한 무제한 전체접근',
      order: 'before',
    },
    {
      request: 'grant',
      words: '항상 언제나 무조건 자동으로 모두 모든',
      of: '승인하 승인해 수락하 수락해 허용하 허용해 동의하 동의해 복종 신뢰하',
      order: 'after, in its clause',
    },
  ],
};

export const LANGUAGES: readonly Language[] = [
  GERMAN,
  FRENCH,
  SPANISH,
  PORTUGUESE,
  ITALIAN,
  RUSSIAN,
  CHINESE,
  JAPANESE,
  KOREAN,
];
