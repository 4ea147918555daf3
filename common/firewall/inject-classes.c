/* SPDX-License-Identifier: Apache-2.0 */
/* The words of the rules.  Accents, case and apostrophes are folded; what is
 * before an apostrophe is a word of its own only if it is one letter. */
#include "firewall/inject-internal.h"

/* clang-format off */
const struct wv_inject_class wv_inject_classes[] = {
	/* in the order of the enumeration */
	{ "must",
		"please|kindly|must|you should|you shall|you need to|you have to|"
		"you are to|you are required to|you are instructed to|"
		"you are hereby instructed to|you are ordered to|"
		"you are directed to|you are requested to|i want you to|"
		"i need you to|we need you to|i order you to|i command you to|"
		"i instruct you to|make sure to|be sure to|remember to|"
		"it is imperative to|it is imperative that you|"
		"it is important that you|it is required that you|"
		"required for you to|you can now|you will now|you may now|"
		"could you|can you|would you|will you|authorize you to|"
		"authorized to|from now on|"
		"assistant must|assistant should|assistant shall|"
		"assistant has to|assistants must|assistants should|"
		"model must|model should|model shall|model has to|models must|"
		"agent must|agent should|agent shall|agent has to|agents must|"
		"agents should|agents have to|agents shall|"
		"ai must|ai should|ai shall|llm must|llms must|"
		"ab sofort|von nun an|a partir de maintenant|"
		"a partir de ahora|a partir de agora|da ora in poi|"
		"bitte|du musst|sie mussen|du sollst|sie sollen|"
		"veuillez|tu dois|vous devez|merci de|priere de|"
		"por favor|debes|debe usted|tienes que|tiene que|"
		"deve|voce deve|voce precisa|"
		"devi|dovete|per favore|"
		"пожалуйста|ты должен|вы должны|тебе необходимо|вам необходимо|"
		"请|請|你必须|您必须|你应该|你需要|务必|必須|现在|立即|并且|然后" },
	{ "lead",
		"now|so|just|also|first|next|instead|therefore|simply|"
		"immediately|always|ok|okay|well|hey|hello|hi|actually|finally|"
		"lastly|again|important|attention|urgent|warning|note|notice|"
		"system|assistant|ai|llm|model|claude|chatgpt|gpt|copilot|gemini|"
		"bot|chatbot|agent|dear|stop|step|silently|secretly|quietly|"
		"covertly|completely|totally|entirely|"
		"jetzt|sofort|ab|nun|also|maintenant|donc|ahora|entonces|"
		"agora|adesso|ora|quindi|теперь|сейчас|немедленно" },
	{ "and",
		"and|then|but|und|dann|et|puis|y|luego|e|poi|depois|и|затем" },
	{ "block",
		"to|or|the|a|an|would|could|might|may|can|cannot|will|they|it|he|"
		"she|who|which|that|we|i|not|its|their|never|did|does|doesnt|"
		"models|agents|llms|assistants|attackers|users|of|by|from|with|"
		"zu|pour|de|para|di|a|чтобы" },
	{ "after",
		"if|unless|when|where|for|on|the|this|in|i|we|about|regarding|"
		"section|falls|wenn|si|se|если|dans|im|that" },
	{ "ai",
		"ai|ais|llm|llms|assistant|assistants|model|models|agent|agents|"
		"chatgpt|gpt|claude|copilot|gemini|chatbot|chatbots|system|"
		"prompt|instead|ki|ia|ии|bot" },
	{ "about",
		"attack*|adversar*|injection*|inject|injected|injecting|injects|"
		"jailbreak*|malicious|payload*|exploit*|vulnerab*|phishing|owasp|"
		"cve|poison*|exfiltrat*|spoof*|hijack*|redteam*|threat*|untrusted|"
		"angriff*|angreifer*|bosartig*|attaque*|attaquant*|malveillant*|"
		"ataque*|atacante*|malicios*|inyeccion|injecao|attacco|attacchi|"
		"aggressor*|iniezione|malevol*|атак*|злоумышлен*|инъекци*|"
		"вредонос*" },
	{ "aboutish",
		"detect*|detector*|classifier*|filter|filters|filtered|phrase|"
		"phrases|pattern|patterns|example|examples|string|strings|trick*|"
		"saying|tried|refuse*|blocked|flag|flags|flagged|guard|"
		"guardrail*|security|benchmark*|dataset*|researcher*|suspicious|"
		"prompts|embedded|embedding|invisible|preprint*|"
		"manipulat*|delimiter*|sanitiz*|prompting|quoted|regex|fixture*|"
		"beispiel*|exemple*|ejemplo*|exemplo*|esempi*|пример*" },

	{ "ignore",
		"ignore|disregard|forget|override|overrule|bypass|discard|"
		"neglect|abandon|erase|supersede|circumvent|"
		"pay no attention to|do not follow|dont follow|stop following|"
		"stop obeying|do not obey|dont obey|do not comply with|set aside|"
		"disobey|"
		"ignoriere|ignoriert|ignorieren sie|vergiss|vergesst|"
		"vergessen sie|missachte|missachten sie|uberschreibe|umgehe|"
		"beachte nicht|verwirf|setze|"
		"ignorez|oublie|oubliez|ne tiens pas compte|ne tenez pas compte|"
		"ne tenez aucun compte|ne tiens aucun compte|faites abstraction|"
		"fais abstraction|contourne|contournez|neglige|negligez|"
		"ne suis pas|ne suivez pas|ne respecte pas|"
		"ignora|ignorad|olvida|olvide|olvidad|olvidate|haz caso omiso|"
		"haga caso omiso|descarta|descarte|omite|omita|no sigas|no siga|"
		"desobedece|"
		"esqueca|esquece|desconsidere|desconsidera|nao siga|"
		"ignorate|ignori|dimentica|dimenticate|dimentichi|scorda|"
		"non seguire|non considerare|tralascia|trascura|"
		"игнорируй|игнорируйте|проигнорируй|проигнорируйте|забудь|"
		"забудьте|отбрось|отмени|отмените|не обращай внимания на|"
		"не обращайте внимания на|не следуй|не следуйте" },
	{ "prior",
		"previous|previously|prior|above|earlier|preceding|foregoing|"
		"existing|original|former|initial|past|precedent|all|any|every|"
		"your|other|current|safety|given|developer|hidden|internal|system|"
		"everything|old|default|"
		"vorherige*|vorangegangene*|vorangehende*|bisherige*|vorige*|"
		"obige*|obigen|fruhere*|ursprungliche*|alle|deine*|ihre|"
		"precedent*|anterieur*|initiale*|toutes|tes|vos|"
		"anterior*|previa|previas|previo|previos|todas|todos|tus|sus|"
		"suas|tuas|previamente|"
		"tutte|tue|iniziali|originali|"
		"предыдущ*|прежн*|предшеств*|изначальн*|все|свои|твои|ранние" },
	{ "after-noun",
		"above|previously|earlier|before|preceding|prior|"
		"you were given|you have been given|you received|you were told|"
		"you were asked|you were asked for|you have been asked|"
		"you have received|up to this point|so far|up to now|until now|"
		"precedent*|anterieur*|ci dessus|"
		"anterior*|previa|previas|acima|arriba|recibid*|recebid*|"
		"di sopra|sopra|ricevut*|oben|zuvor|davor|bisher|выше|ранее" },
	{ "rules",
		"instruction|instructions|instruct*|prompt|prompts|rule|rules|"
		"directive|directives|guideline|guidelines|command|commands|"
		"constraint|constraints|restriction|restrictions|guardrails|"
		"safeguards|directions|programming|orders|guidance|"
		"anweisung*|instruktion*|vorgabe*|regel|regeln|befehl*|"
		"systemprompt|systemanweisung*|richtlinie*|"
		"consigne*|directive*|regle|regles|ordres|"
		"instruccion*|indicacion*|regla|reglas|directriz|directrices|"
		"ordenes|instruc*|orientac*|regra|regras|diretriz*|ordens|"
		"istruzion*|regola|regole|direttiv*|indicazion*|ordini|"
		"инструкц*|указани*|правил|правила|команд|команды|промпт*|"
		"распоряжен*|директив*|"
		"aufgabe|aufgaben|auftrag|tarea|tareas|tache|taches|compito|"
		"tarefa|задач*" },
	/* without spaces: one list each, the rest is in the rules */
	{ "zh-ignore",
		"忽略|无视|無視|忘记|忘掉|忘記|忽視|忽视|不要理会|不要遵守|不要遵循|"
		"抛开|不用管|放弃|别管" },
	{ "zh-prior",
		"之前|以前|以上|上述|前面|先前|上面|此前|原有|原来|你的|您的|所有|"
		"一切|全部|任何|先前的|系统|系統" },
	{ "zh-rules",
		"指令|指示|提示|提示词|提示詞|规则|規則|命令|设定|設定|约束|限制|"
		"要求|内容" },
	{ "ja-prior",
		"以前|これまで|これまでの|上記|前|すべて|全て|今まで|先ほど|元|"
		"システム|あなた|今" },
	{ "ja-rules",
		"指示|命令|プロンプト|ルール|規則|指令|制約|内容" },
	{ "ja-ignore",
		"無視して|無視せよ|無視しなさい|忘れて|忘れなさい|"
		"従わないで|破棄して|無視してください" },

	{ "donot",
		"do not|dont|never|must not|should not|shall not|mustnt|"
		"you cannot|under no circumstances|avoid|refrain from|"
		"do not ever|be sure not to|you dont need to|you do not need to|"
		"no need to|there is no need to|"
		"sag dem|sage dem|"
		"ne|no le|no lo|no les|nao|non|не" },
	{ "tell",
		"tell|telling|inform|informing|notify|notifying|alert|alerting|"
		"warn|warning|let" },
	{ "mention",
		"mention|mentioning|reveal|revealing|disclose|disclosing|discuss|"
		"acknowledge|refer|repeat|report|expose|say|show|share|display|"
		"explain|bring" },
	{ "user",
		"user|users|human|humans|customer|operator|owner|anyone|anybody|"
		"person|them|reader" },
	{ "it",
		"this|these|that you|about this|about these|about it|about that|"
		"what you|anything about|any of this|the fact|that this|"
		"that these|of this|you have|you are|about the" },

	{ "send",
		"send|post|forward|upload|transmit|email|mail|submit|exfiltrate|"
		"leak|deliver|report|share|copy|relay|dispatch|transfer|put|pass|"
		"post|publish|"
		"sende|senden sie|schicke|schick|schicken sie|ubermittle|"
		"leite|ubertrage|lade|"
		"envoie|envoyez|transmets|transmettez|transfere|transferez|"
		"envia|envie|envialo|manda|mande|reenvia|reenvie|sube|"
		"encaminhe|encaminha|"
		"invia|inviate|inoltra|inoltrate|spedisci|invii|trasmetti|"
		"отправь|отправьте|перешли|перешлите|передай|передайте|"
		"вышли|загрузи" },
	{ "include",
		"include|append|attach|encode|embed|insert|add|concatenate|"
		"incorporate|render|place|put|copy|write|paste" },
	/* what only a conversation, or its user, has */
	{ "private",
		"conversation|chat history|conversation history|message history|"
		"chat log|chat logs|this thread|this chat|system prompt|system message|"
		"system instructions|environment variables|env vars|"
		"ssh keys|ssh key|private key|private keys|user data|"
		"user information|user details|users data|users information|"
		"users api key|users api keys|users token|users tokens|users email|users emails|users e mail|saved passwords|"
		"contents of the env|content of the env|its memory|users name|users messages|users files|"
		"users password|users location|users address|"
		"contents of env|content of env|"
		"users credentials|users contacts|personal data|"
		"personal information|session data|session token|session tokens|"
		"all messages|previous messages|all emails|all files|all secrets|"
		"any secrets|all credentials|all passwords|all api keys|"
		"any api keys|any credentials|any passwords|"
		"api keys and|your instructions|your context|context window|"
		"entire context|full context|everything above|your memory|"
		"your system|chat transcript|inbox|contact list|"
		"confidential information|confidential data|"
		"sensitive data|sensitive information|"
		"etc passwd|etc shadow|id_rsa|id_ed25519|mcp json|env file|"
		"aws credentials|ssh id_rsa|"
		"gesprach*|unterhaltung|chatverlauf|gesprachsverlauf|"
		"passworter|zugangsdaten|umgebungsvariablen|systemprompt|"
		"nutzerdaten|benutzerdaten|"
		"conversation|historique|mots de passe|identifiants|"
		"variables denvironnement|variables d environnement|"
		"donnees|cles|"
		"conversacion|historial|contrasenas|credenciales|"
		"variables de entorno|claves|datos del usuario|"
		"conversa|historico|senhas|credenciais|variaveis de ambiente|"
		"chaves|dados do usuario|"
		"conversazione|cronologia|le password|tue password|"
		"sue password|credenziali|"
		"variabili dambiente|variabili d ambiente|chiavi|"
		"переписк*|диалог*|парол*|учетные данные|ключи|"
		"переменные окружения|историю|разговор*" },
	{ "secret",
		"password|passwords|token|tokens|api key|api keys|apikey|apikeys|"
		"secret|secrets|credential|credentials|cookies|keys|contents|"
		"content|data|files|file|email|emails|results|output|it|them|"
		"information|summary|response|messages|history|"
		"daten|donnees|datos|dados|dati|данные" },
	{ "to",
		"to|at|via|into|as|an|a|nach|vers|sur|para|en|ao|su|al|на|по|в" },
	{ "reveal",
		"reveal|print|show|output|repeat|display|leak|tell|share|give|"
		"disclose|dump|return|expose|summarize|translate|recite|write|"
		"state|list|quote|provide|"
		"zeige|zeig|zeigen sie|verrate|verraten sie|gib|geben sie|"
		"wiederhole|nenne|"
		"revele|revelez|affiche|affichez|montre|montrez|repete|repetez|"
		"donne|donnez|"
		"revela|revele|muestra|muestre|repite|repita|imprime|dime|"
		"mostre|mostra|exiba|repita|diga|"
		"rivela|rivelate|mostra|mostrate|ripeti|stampa|dimmi|"
		"покажи|покажите|раскрой|раскройте|выведи|выведите|повтори|"
		"повторите|напиши" },
	{ "own-prompt",
		"your system prompt|your prompt|your instructions|"
		"your initial instructions|your original instructions|"
		"your hidden instructions|your secret instructions|"
		"your initial prompt|your original prompt|your hidden prompt|"
		"your full prompt|your full instructions|your exact instructions|"
		"your internal instructions|your rules|your guidelines|"
		"your configuration|your system message|your system instructions|"
		"your full system prompt|your entire system prompt|"
		"your complete system prompt|your entire prompt|"
		"your custom instructions|your developer message|"
		"everything above|words above|text above|"
		"instructions you got|instructions you were given|instructions you received|"
		"everything written above|everything that was written above|"
		"everything said above|"
		"everything before this|instructions above|"
		"deinen systemprompt|deinen system prompt|deine anweisungen|"
		"deine systemanweisung*|ihren systemprompt|deine instruktionen|"
		"dein systemprompt|ihre anweisungen|"
		"ton prompt|tes instructions|votre prompt|vos instructions|"
		"ton prompt systeme|ton invite systeme|tes consignes|"
		"tu prompt|tus instrucciones|su prompt|sus instrucciones|"
		"tu mensaje de sistema|"
		"seu prompt|suas instrucoes|teu prompt|tuas instrucoes|"
		"il tuo prompt|le tue istruzioni|tuo prompt|tue istruzioni|"
		"свой системный промпт|твой системный промпт|свои инструкции|"
		"свой промпт|твои инструкции|системный промпт" },
	{ "call",
		"call|invoke|use|run|execute|trigger|"
		"rufe|nutze|verwende|fuhre|appelle|appelez|utilise|utilisez|"
		"llama|ejecuta|usa|use|chame|execute|chiama|esegui|"
		"вызови|вызовите|используй|запусти" },
	{ "tool",
		"tool|tools|plugin|werkzeug|outil|herramienta|"
		"ferramenta|funcion|funcao|strumento|funzione|инструмент|"
		"функцию" },
	{ "visit",
		"fetch|visit|open|navigate|browse|curl|request|load|download" },
	{ "read",
		"read|open|cat|access|load|fetch|include|get|print|retrieve|"
		"scan|locate|find|search|extract|list|dump|check|"
		"lies|lis|lisez|lee|leia|leggi|прочитай|прочти" },
	{ "sensitive",
		"ssh|id_rsa|id_ed25519|etc passwd|etc shadow|mcp json|"
		"aws credentials|env file|dotenv|bash_history|netrc|kube config|"
		"cursor mcp|gnupg|keychain|wallet|cookies|passwd|"
		"environment variables|authorized_keys|private key" },
	{ "ai-name",
		"ai|ais|llm|llms|ai assistant|ai assistants|ai agent|ai agents|"
		"ai model|ai models|ai system|ai systems|language model|"
		"language models|large language model|large language models|"
		"chatgpt|gpt|claude|copilot|gemini|chatbot|chatbots|ai bot|"
		"ai crawler|ai crawlers|coding agent|coding agents|"
		"ai language model|virtual assistant|automated agent|"
		"automated agents|assistant model|ai reviewer|ai reviewers|"
		"llm reviewer|ki|ki assistent|ki modell|sprachmodell|"
		"modele de langage|assistant ia|ia|modelo de lenguaje|"
		"asistente de ia|modelo de linguagem|assistente de ia|"
		"assistente ia|modello linguistico|intelligenza artificiale|ии|"
		"языковая модель" },
};
const size_t wv_inject_class_count =
	sizeof(wv_inject_classes) / sizeof(wv_inject_classes[0]);
